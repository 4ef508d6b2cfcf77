package io.dubbomesh.protocol.hessian;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A class such as services use. */
// The field types are those whose bytes are looked at; javac 25 says more of them than 17.
@SuppressWarnings("serial")
final class Item implements Serializable {
    private static final long serialVersionUID = 1L;

    static final String[] FIELDS = {
        "id", "count", "price", "open", "label", "when", "bytes", "any", "list", "map", "state", "amount", "next"
    };

    int id;
    long count;
    double price;
    boolean open;
    String label;
    Date when;
    byte[] bytes;
    Object any;
    List<Object> list = new ArrayList<>();
    Map<String, Object> map = new LinkedHashMap<>();
    Thread.State state;
    BigDecimal amount;
    Item next;

    /** In the order of {@link #FIELDS}. */
    Object[] values() {
        return new Object[] {id, count, price, open, label, when, bytes, any, list, map, state, amount, next};
    }
}
