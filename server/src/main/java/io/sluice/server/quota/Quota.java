package io.sluice.server.quota;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;

/** A kind of thing of which a tenant has a bounded number. */
public enum Quota {
  QUEUES("queues", "queues"),
  URL_GROUPS("urlGroups", "URL groups"),
  KEYS("keys", "API keys in force"),
  SCHEDULES("schedules", "schedules"),
  TRIGGERS("triggers", "triggers"),
  LIMITS("limits", "limits on job types and limit keys"),
  LANES("lanes", "lanes with waiting jobs"),
  BYTES("bytes", "bytes of jobs");

  private final String field;
  private final String things;

  Quota(String field, String things) {
    this.field = field;
    this.things = things;
  }

  /** Its name in the API. */
  public String field() {
    return field;
  }

  SluiceException exceeded(long have, long most) {
    return new SluiceException(ErrorCode.QUOTA_EXCEEDED, usedUp(have, most));
  }

  String usedUp(long have, long most) {
    return "the quota '" + field + "' of the tenant is used up: it has " + have + " " + things
        + " and may have " + most;
  }
}
