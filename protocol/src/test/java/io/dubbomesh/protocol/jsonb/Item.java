package io.dubbomesh.protocol.jsonb;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An object with fields of many types; public like the classes of services, since fastjson2 treats others differently.
 */
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
