package io.dubbomesh.demo.office;

import java.math.BigDecimal;

/** A service that fails, with exceptions that say more than their messages. */
public interface Cashier {
    /**
     * Fails if the amount is more than ten: with {@link PaymentException}, for a negative amount with
     * {@link LockedException}.
     */
    BigDecimal pay(String account, BigDecimal amount) throws PaymentException;
}
