package io.sluice.server.rest;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogManager;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** What is logged at WARN and above while it is open, also by the web server. */
public final class LogLines implements AutoCloseable {
  private static final int FRAMES = 12;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
        lines.add(event.getLevel() + " " + event.getFormattedMessage());
        if (event.getLevel().isGreaterOrEqual(Level.ERROR) || event.getThrowableProxy() != null) {
          troubles.add(event.getLevel() + " " + event.getLoggerName() + " "
              + event.getFormattedMessage() + trace(event));
        }
      }
    }
  };

  public LogLines() {
    LogManager.getLogManager().reset();
    SLF4JBridgeHandler.install();
    appender.setContext(root.getLoggerContext());
    appender.start();
    root.addAppender(appender);
  }

  public List<String> lines() {
    return lines;
  }

  /** Of the lines, those at ERROR and those that came with a stack trace, each with its first frames. */
  public List<String> troubles() {
    return troubles;
  }

  private static String trace(ILoggingEvent event) {
    return event.getThrowableProxy() == null
        ? ""
        : ThrowableProxyUtil.asString(event.getThrowableProxy())
            .lines()
            .limit(FRAMES)
            .collect(Collectors.joining("\n", "\n", ""));
  }

  @Override
  public void close() {
    root.detachAppender(appender);
    SLF4JBridgeHandler.uninstall();
  }
}
