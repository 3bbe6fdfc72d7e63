package io.sluice;

/** How far a remote worker says it is. */
public record RemoteProgress(int percent, String message) {
  public RemoteProgress {
    if (percent < 0 || percent > 100) {
      throw SluiceException.invalid("progress.percent", "must be 0 to 100, was " + percent);
    }
  }
}
