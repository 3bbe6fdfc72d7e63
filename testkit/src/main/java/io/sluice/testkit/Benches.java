package io.sluice.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands each test method its own bench and closes it afterwards. */
final class Benches implements ParameterResolver {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(Benches.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Bench.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    StoreTopic topic = (StoreTopic) test.getRequiredTestInstance();
    return test.getStore(HERE)
        .computeIfAbsent(test.getUniqueId(), id -> new Bench(topic.lab()), Bench.class);
  }
}
