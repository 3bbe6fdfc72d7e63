package io.sluice.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test method a rig of its own and takes it down afterwards. */
final class Rigs implements ParameterResolver {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(Rigs.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Rig.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    EngineTopic topic = (EngineTopic) test.getRequiredTestInstance();
    return test.getStore(HERE)
        .computeIfAbsent(test.getUniqueId(), id -> new Rig(topic.lab()), Rig.class);
  }
}
