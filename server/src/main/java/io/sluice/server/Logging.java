package io.sluice.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.util.List;
import java.util.logging.LogManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The log of the process: a line for each event, on stderr, others' chatter left out. */
final class Logging {
  private static final List<String> CHATTER =
      List.of("com.zaxxer.hikari", "io.helidon", "org.postgresql");

  private Logging() {}

  /** Nothing at all, for commands that tell what they find themselves. */
  static void off() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    LogManager.getLogManager().reset();
  }

  static void start(boolean verbose) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    LogLayout layout = new LogLayout();
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.INFO);
    context.getLogger("io.sluice").setLevel(verbose ? Level.DEBUG : Level.INFO);
    CHATTER.forEach(name -> context.getLogger(name).setLevel(verbose ? Level.INFO : Level.WARN));
    // The web server and the database driver log by way of the JDK.
    LogManager.getLogManager().reset();
    SLF4JBridgeHandler.install();
  }
}
