package io.sluice.server.login;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.AdminKey;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Credentials;
import io.sluice.server.keys.ApiKeys;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All credentials there are. To look at one costs a look-up by index or a signature, so an address from
 * which too many were bad has one a second looked at. Those that were good within the last minutes are
 * looked at in any case: nobody who works with one is shut out by a neighbour behind the same address.
 */
public final class Login implements Credentials {
  private final AdminKey admin;
  private final ApiKeys keys;
  private final @Nullable JwtLogin tokens;
  private final LoginLimit limit;
  private final GoodCredentials good;

  public Login(
      AdminKey admin,
      ApiKeys keys,
      @Nullable JwtLogin tokens,
      int failures,
      LongSupplier nanoTime) {
    this.admin = admin;
    this.keys = keys;
    this.tokens = tokens;
    this.limit = new LoginLimit(failures, nanoTime);
    this.good = new GoodCredentials(nanoTime);
  }

  @Override
  public Caller authenticate(String token, String address) {
    if (admin.is(token)) {
      return admin.caller();
    }
    String hash = GoodCredentials.hash(token);
    if (!good.isRecent(hash)) {
      limit.admit(address);
    }
    Optional<Caller> caller = known(token);
    if (caller.isEmpty()) {
      good.bad(hash);
      limit.failed(address);
      throw new SluiceException(ErrorCode.UNAUTHORIZED, "the key or token is not valid");
    }
    good.good(hash);
    return caller.get();
  }

  private Optional<Caller> known(String token) {
    if (ApiKeys.areLike(token)) {
      return keys.caller(token);
    }
    return tokens != null && JwtToken.looksLike(token) ? tokens.caller(token) : Optional.empty();
  }
}
