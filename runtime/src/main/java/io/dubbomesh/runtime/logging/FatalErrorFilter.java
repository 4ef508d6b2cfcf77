package io.dubbomesh.runtime.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.dubbomesh.runtime.FatalErrors;
import org.slf4j.Marker;

/**
 * Checks every error that is logged, by libraries too: Netty catches what an event loop's task or a flush throws,
 * and only logs it.
 */
final class FatalErrorFilter extends TurboFilter {
    @Override
    public FilterReply decide(
            Marker marker, Logger logger, Level level, String format, Object[] arguments, Throwable thrown) {
        if (thrown != null) {
            FatalErrors.check(thrown);
        } else if (arguments != null
                && arguments.length > 0
                && arguments[arguments.length - 1] instanceof Throwable last) {
            FatalErrors.check(last);
        }
        return FilterReply.NEUTRAL;
    }
}
