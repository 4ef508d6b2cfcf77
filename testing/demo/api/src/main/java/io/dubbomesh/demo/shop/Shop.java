package io.dubbomesh.demo.shop;

/** A typical service: with its own classes, an exception, and a language that callers attach to their calls. */
public interface Shop {
    /** Sells the order. At each call there are ten of every item. */
    Receipt buy(Order order) throws SoldOutException;

    /** Returns a greeting in the language of the attachment {@code language}, {@code en} or {@code de}. */
    String greet(String name);
}
