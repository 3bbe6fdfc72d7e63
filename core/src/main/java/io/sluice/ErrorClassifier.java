package io.sluice;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Sorts what a handler threw into an {@link ErrorClass}, by its type and never by its text. */
@FunctionalInterface
public interface ErrorClassifier {
  ErrorClass classify(Throwable error);

  /** The classifier used unless another one is given. */
  static ErrorClassifier byType() {
    return error -> ofType(unwrapped(error));
  }

  private static ErrorClass ofType(Throwable error) {
    return switch (error) {
      case SluiceException e -> ofCode(e.code());
      case TimeoutException e -> ErrorClass.TIMEOUT;
      case SocketTimeoutException e -> ErrorClass.TIMEOUT;
      case java.net.http.HttpTimeoutException e -> ErrorClass.TIMEOUT;
      case SQLTimeoutException e -> ErrorClass.TIMEOUT;
      case SQLTransientConnectionException e -> ErrorClass.NETWORK;
      case FileNotFoundException e -> ErrorClass.NOT_FOUND;
      case NoSuchFileException e -> ErrorClass.NOT_FOUND;
      case NoSuchElementException e -> ErrorClass.NOT_FOUND;
      case AccessDeniedException e -> ErrorClass.AUTH;
      case SecurityException e -> ErrorClass.AUTH;
      case IOException e -> ErrorClass.NETWORK;
      case IllegalArgumentException e -> ErrorClass.VALIDATION;
      default -> ErrorClass.UNKNOWN;
    };
  }

  private static ErrorClass ofCode(ErrorCode code) {
    return switch (code) {
      case INVALID_MESSAGE, RESULTS_TOO_LARGE -> ErrorClass.VALIDATION;
      case MESSAGE_TIMEOUT -> ErrorClass.TIMEOUT;
      case FORBIDDEN -> ErrorClass.AUTH;
      case NOT_FOUND -> ErrorClass.NOT_FOUND;
      case RATE_LIMITED, QUEUE_FULL, QUOTA_EXCEEDED, OVERLOADED -> ErrorClass.RATE_LIMITED;
      case CIRCUIT_OPEN -> ErrorClass.CIRCUIT_OPEN;
      case PERSISTENCE_FAILURE -> ErrorClass.NETWORK;
      default -> ErrorClass.UNKNOWN;
    };
  }

  /** The error that a wrapper of another thread, proxy or stream carries. */
  private static Throwable unwrapped(Throwable error) {
    boolean wrapper = error instanceof CompletionException
        || error instanceof ExecutionException
        || error instanceof InvocationTargetException
        || error instanceof UndeclaredThrowableException
        || error instanceof UncheckedIOException;
    Throwable cause = error.getCause();
    return wrapper && cause != null ? unwrapped(cause) : error;
  }
}
