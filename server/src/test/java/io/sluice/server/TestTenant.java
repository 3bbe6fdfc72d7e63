package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.access.Role;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** A tenant with a key of every role, made over REST. */
public record TestTenant(String id, String name, Map<Role, String> keys, Client admin) {

  public static TestTenant make(Client admin, String name) {
    Client.Reply made = admin.post("/v1/tenants", "{\"name\": \"" + name + "\"}");
    assertThat(made.status()).as(made.raw().body()).isEqualTo(201);
    String id = made.text("/id");
    Map<Role, String> keys = Arrays.stream(Role.values())
        .collect(Collectors.toMap(role -> role, role -> newKey(admin, id, role).text("/key")));
    return new TestTenant(id, name, keys, admin);
  }

  /** Makes a key with the client's own credential. */
  public static Client.Reply newKey(Client client, String tenant, Role role) {
    return client.post(
        "/v1/tenants/" + tenant + "/keys",
        "{\"name\": \"a key\", \"role\": \"" + role.label() + "\"}");
  }

  public Client as(Role role) {
    return admin.withKey(keys.get(role));
  }
}
