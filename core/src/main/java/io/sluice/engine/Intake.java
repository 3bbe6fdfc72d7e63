package io.sluice.engine;

import io.sluice.Codec;
import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.JobRequest;
import io.sluice.JobSpec;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Names;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.Ties;
import io.sluice.Uuid7;
import io.sluice.When;
import io.sluice.store.Documents;
import io.sluice.store.NewJob;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks and encodes jobs on their way in. Whatever some store would refuse is refused here, alone
 * and with the name of its field, so that it cannot spoil a write it shares with others.
 */
final class Intake {
  /** The longest time that a job may be put off. */
  static final Duration LONGEST = Duration.ofDays(3650);
  /** The last moment that every store can write. */
  static final Instant LATEST = Instant.parse("9000-01-01T00:00:00Z");

  private static final int MAX_METADATA = 64 << 10;

  private final Codec codec;
  private final Uuid7 ids;

  Intake(Codec codec, Uuid7 ids) {
    this.codec = codec;
    this.ids = ids;
  }

  UUID nextId() {
    return ids.next();
  }

  NewJob take(JobRequest request) {
    return take(ids.next(), request, new Ties(request.after(), request.afterPolicy(), null));
  }

  NewJob take(UUID id, JobRequest request, Ties ties) {
    JobSpec spec = new JobSpec(
        payload(request),
        request.priority(),
        request.retry().orElse(null),
        request.timeout().map(Intake::timeout).orElse(null),
        request.idempotencyKey().map(k -> key("idempotencyKey", k)).orElse(null),
        request.expiresAt().map(t -> time("expiresAt", t)).orElse(null),
        metadata(request.metadata()),
        request.cost(),
        TieRules.check(ties));
    return new NewJob(id, lane(request.lane()), spec, moment(request.when()), request.isStrict());
  }

  List<NewJob> takeAll(List<JobRequest> requests) {
    Load load = new Load(requests.size());
    return requests.stream().map(request -> load.with(take(request))).toList();
  }

  /** What comes in one call: not too many jobs, and not too much of them, nor of their links, together. */
  static final class Load {
    private long bytes;
    private int links;

    Load(int jobs) {
      if (jobs > Defaults.MAX_BATCH_JOBS) {
        throw SluiceException.invalid(
            "jobs", "must be at most " + Defaults.MAX_BATCH_JOBS + ", were " + jobs);
      }
    }

    NewJob with(NewJob job) {
      bytes += job.spec().payload().length();
      if (bytes > Defaults.MAX_BATCH_BYTES) {
        throw SluiceException.invalid(
            "jobs", "must be at most " + Defaults.MAX_BATCH_BYTES + " bytes together");
      }
      links += job.spec().ties().after().size();
      if (links > Defaults.MAX_LINKS) {
        throw new SluiceException(
            ErrorCode.TOO_LARGE,
            "jobs must wait for at most " + Defaults.MAX_LINKS
                + " others in one call, added up: make the batch open and add to it in several calls,"
                + " or let a job between them wait for many");
      }
      return job;
    }
  }

  private static Lane lane(Lane lane) {
    Names.check("tenant", lane.tenant());
    Names.check("queue", lane.queue());
    Names.checkType(lane.type());
    if (lane.hasGroup()) {
      Names.check("urlGroup", lane.groupName());
    }
    if (!lane.limitKey().isEmpty()) {
      key("limitKey", lane.limitKey());
      if (Scope.key(lane.tenant(), lane.limitKey()).isPattern()) {
        throw SluiceException.invalid(
            "limitKey",
            "must not end in *: a limit on such a key is one on all that begin like it");
      }
    }
    return lane;
  }

  private String payload(JobRequest request) {
    String json = request.isRaw()
        ? request.payload().toString()
        : written("payload", () -> codec.encode(request.payload()));
    int most = Math.min(request.maxPayloadBytes(), Defaults.MAX_ENVELOPE_BYTES);
    // A character takes three bytes at most, so that most payloads need not be counted.
    boolean mayBeTooLong = json.length() > most / 3;
    if (mayBeTooLong && utf8Length(json) > most) {
      throw SluiceException.invalid("payload", "must be at most " + most + " bytes of JSON");
    }
    return JsonText.check("payload", json);
  }

  /** What comes out of code that may be the user's own. */
  private static String written(String field, Supplier<String> writing) {
    try {
      return writing.get();
    } catch (SluiceException e) {
      throw e;
    } catch (StackOverflowError e) {
      throw SluiceException.invalid(
          field, "must not be nested deeper than " + Defaults.MAX_JSON_DEPTH);
    } catch (RuntimeException e) {
      throw new SluiceException(
          ErrorCode.INVALID_MESSAGE, field + " cannot be written as JSON: " + e, e);
    }
  }

  private static int utf8Length(String json) {
    return json.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The metadata as every store would give it back, and no longer the caller's to change. */
  private static Metadata metadata(Metadata metadata) {
    if (metadata.equals(Metadata.NONE)) {
      return metadata;
    }
    String json = written("metadata", () -> Documents.of(metadata));
    if (json.length() > MAX_METADATA) {
      throw SluiceException.invalid("metadata", "must be at most " + MAX_METADATA + " characters");
    }
    return Documents.metadata(JsonText.check("metadata", json));
  }

  static String key(String field, String key) {
    if (key.isEmpty() || key.length() > Defaults.MAX_TEXT) {
      throw SluiceException.invalid(field, "must be 1 to " + Defaults.MAX_TEXT + " characters");
    }
    JsonText.checkPlain(field, key);
    return key;
  }

  private static Duration timeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST) > 0) {
      throw SluiceException.invalid("timeout", "must be more than zero, was " + timeout);
    }
    return timeout;
  }

  private static When moment(When when) {
    return switch (when) {
      case When.Now now -> now;
      case When.At at -> new When.At(time("runAt", at.time()));
      case When.In in -> {
        if (in.delay().isNegative() || in.delay().compareTo(LONGEST) > 0) {
          throw SluiceException.invalid(
              "delay", "must be zero to " + LONGEST.toDays() + " days, was " + in.delay());
        }
        yield in;
      }
    };
  }

  private static Instant time(String field, @Nullable Instant time) {
    if (time == null || time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
      throw SluiceException.invalid(field, "must be between 1970 and 9000, was " + time);
    }
    return time;
  }
}
