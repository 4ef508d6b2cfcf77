package io.dubbomesh.demo.office;

import java.math.BigDecimal;

/** The office's cashier: every account has ten. */
public final class DemoCashier implements Cashier {
    private static final BigDecimal BALANCE = BigDecimal.TEN;

    @Override
    public BigDecimal pay(String account, BigDecimal amount) throws PaymentException {
        if (amount.signum() < 0) {
            LockedException locked = new LockedException(account + " is locked");
            locked.setSinceMs(1795255200123L);
            throw locked;
        }
        if (amount.compareTo(BALANCE) > 0) {
            PaymentException failed = new PaymentException(
                    account + " has too little", new IllegalArgumentException("amount: " + amount));
            failed.setAccount(account);
            failed.setMissing(amount.subtract(BALANCE));
            failed.setReceipt(Paper.A4);
            failed.setOwner(new User(3, "Al", 30));
            throw failed;
        }
        return BALANCE.subtract(amount);
    }
}
