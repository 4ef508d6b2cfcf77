package io.dubbomesh.protocol.jsonb;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An object with a field of many a type; public as the classes of services are, for fastjson2 treats others otherwise. */
// The field types are those whose bytes are looked at.
@SuppressWarnings("serial")
public final class Item implements Serializable {
    int id;
    long count;
    double price;
    String name;
    char letter;
    Color color;
    Date when;
    LocalDate day;
    BigDecimal amount;
    byte[] bytes;
    int[] numbers;
    List<Item> items;
    Set<String> tags;
    Map<String, Color> colors;
    Object any;
    Item next;

    public enum Color {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "grass";
            }
        }
    }
}
