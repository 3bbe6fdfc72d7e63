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
 * All credentials there are. A credential is looked at before the failures of its address are, since
 * that is cheap (a comparison, a checksum and one look by index, a signature), so that nobody who has
 * a good one is shut out by a neighbour behind the same address.
 */
public final class Login implements Credentials {
  private final AdminKey admin;
  private final ApiKeys keys;
  private final @Nullable JwtLogin tokens;
  private final LoginLimit limit;

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
  }

  @Override
  public Caller authenticate(String token, String address) {
    return known(token).orElseThrow(() -> {
      limit.failed(address);
      return new SluiceException(ErrorCode.UNAUTHORIZED, "the key or token is not valid");
    });
  }

  private Optional<Caller> known(String token) {
    if (admin.is(token)) {
      return Optional.of(admin.caller());
    }
    if (ApiKeys.areLike(token)) {
      return keys.caller(token);
    }
    return tokens != null && JwtToken.looksLike(token) ? tokens.caller(token) : Optional.empty();
  }
}
