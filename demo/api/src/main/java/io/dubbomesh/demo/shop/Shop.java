package io.dubbomesh.demo.shop;

/** A service as many are: with classes of its own, an exception, and a language that its callers attach to their calls. */
public interface Shop {
    /** Sells what is ordered; there are ten of everything, each time. */
    Receipt buy(Order order) throws SoldOutException;

    /** Says hello in the language of the attachment {@code language}, {@code en} or {@code de}. */
    String greet(String name);
}
