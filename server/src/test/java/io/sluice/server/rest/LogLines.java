package io.sluice.server.rest;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** What is logged at WARN and above while it is open, also by the web server. */
final class LogLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
        lines.add(event.getLevel() + " " + event.getFormattedMessage());
      }
    }
  };

  LogLines() {
    LogManager.getLogManager().reset();
    SLF4JBridgeHandler.install();
    appender.setContext(root.getLoggerContext());
    appender.start();
    root.addAppender(appender);
  }

  List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    root.detachAppender(appender);
    SLF4JBridgeHandler.uninstall();
  }
}
