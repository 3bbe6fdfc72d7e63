package io.sluice;

/**
 * The smallest thing that can be held back as a whole: all jobs of one tenant, queue, type, URL
 * group and limit key. What may not run now is a lane left out of the claim, however long it is.
 * The last two are empty where a job has none.
 */
public record Lane(String tenant, String queue, String type, String urlGroup, String limitKey) {

  public static Lane of(String tenant, String queue, String type) {
    return new Lane(tenant, queue, type, "", "");
  }
}
