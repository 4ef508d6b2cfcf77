package io.dubbomesh.demo.office;

import java.math.BigDecimal;

/** A checked exception with fields of its own. */
@SuppressWarnings("serial")
public final class PaymentException extends Exception {
    private String account;
    private BigDecimal missing;
    private Paper receipt;
    private User owner;

    public PaymentException() {}

    public PaymentException(String message, Throwable cause) {
        super(message, cause);
    }

    public String getAccount() {
        return account;
    }

    public void setAccount(String account) {
        this.account = account;
    }

    public BigDecimal getMissing() {
        return missing;
    }

    public void setMissing(BigDecimal missing) {
        this.missing = missing;
    }

    public Paper getReceipt() {
        return receipt;
    }

    public void setReceipt(Paper receipt) {
        this.receipt = receipt;
    }

    public User getOwner() {
        return owner;
    }

    public void setOwner(User owner) {
        this.owner = owner;
    }
}
