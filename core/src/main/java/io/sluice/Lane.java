package io.sluice;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.CRC32;

/**
 * The smallest thing that can be held back as a whole: all jobs of one tenant, queue, type, URL
 * group and limit key. What may not run now is a lane left out of the claim, however long it is.
 * The last two are empty where a job has none.
 *
 * <p>A request to a URL that is in no group goes by the bucket of its host instead, in the place of the
 * group: what does not answer holds up its own bucket and nobody else. A bucket is no group to anybody
 * but the one who shares out slots; ask {@link #hasGroup} or {@link #groupName}.
 */
public record Lane(String tenant, String queue, String type, String urlGroup, String limitKey) {
  /** No name begins like this. */
  private static final String BUCKET = "//";

  private static final String DIGITS = "0123456789abcdef";
  private static final int BUCKET_LENGTH = BUCKET.length() + 2;

  public static Lane of(String tenant, String queue, String type) {
    return new Lane(tenant, queue, type, "", "");
  }

  /** True when its jobs belong to a URL group. */
  public boolean hasGroup() {
    return !urlGroup.isEmpty() && !isBucket(urlGroup);
  }

  /** The name of the URL group that its jobs belong to; empty where they belong to none. */
  public String groupName() {
    return hasGroup() ? urlGroup : "";
  }

  /** The bucket of a host: one of 256, the same whatever the case and whoever asks. */
  public static String bucketOf(String host) {
    CRC32 sum = new CRC32();
    sum.update(host.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
    return BUCKET + HexFormat.of().toHexDigits((byte) sum.getValue());
  }

  /** True for what {@link #bucketOf} makes, and for nothing that a person may call a group. */
  public static boolean isBucket(String urlGroup) {
    return urlGroup.length() == BUCKET_LENGTH
        && urlGroup.startsWith(BUCKET)
        && DIGITS.indexOf(urlGroup.charAt(2)) >= 0
        && DIGITS.indexOf(urlGroup.charAt(3)) >= 0;
  }
}
