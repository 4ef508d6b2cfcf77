package io.dubbomesh.demo.conformance;

import java.math.BigDecimal;
import java.net.URI;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The methods that use the elements of their arguments. */
abstract class Computations extends Echoes {
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    @Override
    public String textOfUuid(UUID value) {
        return value.toString();
    }

    @Override
    public String textOfUri(URI value) {
        return value.toString();
    }

    @Override
    public String textOfLocale(Locale value) {
        return value.toString();
    }

    @Override
    public String textOfCurrency(Currency value) {
        return value.getCurrencyCode();
    }

    @Override
    public String textOfCalendar(Calendar value) {
        return Long.toString(value.getTimeInMillis());
    }

    @Override
    public List<Long> increment(List<Long> values) {
        List<Long> result = new ArrayList<>();
        for (Long value : values) {
            result.add(value + 1);
        }
        return result;
    }

    @Override
    public Set<String> upperCase(Set<String> values) {
        Set<String> result = new LinkedHashSet<>();
        for (String value : values) {
            result.add(value.toUpperCase(Locale.ROOT));
        }
        return result;
    }

    @Override
    public Collection<BigDecimal> negate(Collection<BigDecimal> values) {
        List<BigDecimal> result = new ArrayList<>();
        for (BigDecimal value : values) {
            result.add(value.negate());
        }
        return result;
    }

    @Override
    public Map<String, Integer> incrementEach(Map<String, Integer> values) {
        Map<String, Integer> result = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> entry : values.entrySet()) {
            result.put(entry.getKey() + "+1", entry.getValue() + 1);
        }
        return result;
    }

    @Override
    public List<Short> incrementShorts(List<Short> values) {
        List<Short> result = new ArrayList<>();
        for (Short value : values) {
            result.add((short) (value + 1));
        }
        return result;
    }

    @Override
    public Map<String, Float> halveEach(Map<String, Float> values) {
        Map<String, Float> result = new LinkedHashMap<>();
        for (Map.Entry<String, Float> entry : values.entrySet()) {
            result.put(entry.getKey(), entry.getValue() / 2);
        }
        return result;
    }

    @Override
    public List<List<Integer>> transpose(List<List<Integer>> rows) {
        List<List<Integer>> result = new ArrayList<>();
        for (int column = 0; column < rows.get(0).size(); column++) {
            List<Integer> values = new ArrayList<>();
            for (List<Integer> row : rows) {
                Integer value = row.get(column);
                values.add(value);
            }
            result.add(values);
        }
        return result;
    }

    @Override
    public List<Map<String, Long>> incrementAll(List<Map<String, Long>> values) {
        List<Map<String, Long>> result = new ArrayList<>();
        for (Map<String, Long> value : values) {
            Map<String, Long> incremented = new LinkedHashMap<>();
            for (Map.Entry<String, Long> entry : value.entrySet()) {
                incremented.put(entry.getKey(), entry.getValue() + 1);
            }
            result.add(incremented);
        }
        return result;
    }

    @Override
    public List<byte[]> reverseEach(List<byte[]> values) {
        List<byte[]> result = new ArrayList<>();
        for (byte[] value : values) {
            byte[] reversed = new byte[value.length];
            for (int i = 0; i < value.length; i++) {
                reversed[i] = value[value.length - 1 - i];
            }
            result.add(reversed);
        }
        return result;
    }

    @Override
    public List<Date> nextDays(List<Date> days) {
        List<Date> result = new ArrayList<>();
        for (Date day : days) {
            result.add(new Date(day.getTime() + DAY_MS));
        }
        return result;
    }

    @Override
    public List<LocalDate> nextLocalDays(List<LocalDate> days) {
        List<LocalDate> result = new ArrayList<>();
        for (LocalDate day : days) {
            result.add(day.plusDays(1));
        }
        return result;
    }

    @Override
    public Map<Integer, String> trimNames(Map<Integer, String> namesByNumber) {
        Map<Integer, String> result = new TreeMap<>();
        for (Map.Entry<Integer, String> entry : namesByNumber.entrySet()) {
            result.put(entry.getKey() + 1, entry.getValue().trim());
        }
        return result;
    }

    @Override
    public Map<Long, Item> doubleQuantities(Map<Long, Item> items) {
        Map<Long, Item> result = new TreeMap<>();
        for (Map.Entry<Long, Item> entry : items.entrySet()) {
            Item item = entry.getValue();
            result.put(entry.getKey() + 1, new Item(item.getName(), item.getPrice(), 2 * item.getQuantity()));
        }
        return result;
    }

    @Override
    public Map<Boolean, String> invert(Map<Boolean, String> values) {
        Map<Boolean, String> result = new TreeMap<>();
        for (Map.Entry<Boolean, String> entry : values.entrySet()) {
            result.put(!entry.getKey(), entry.getValue());
        }
        return result;
    }

    @Override
    public List<Color> rotate(List<Color> colors) {
        List<Color> result = new ArrayList<>();
        for (Color color : colors) {
            result.add(Color.values()[(color.ordinal() + 1) % Color.values().length]);
        }
        return result;
    }

    @Override
    public Set<Color> others(Set<Color> colors) {
        Set<Color> result = EnumSet.allOf(Color.class);
        for (Color color : colors) {
            result.remove(color);
        }
        return new LinkedHashSet<>(result);
    }

    @Override
    public Map<Color, Integer> count(List<Color> colors) {
        Map<Color, Integer> result = new EnumMap<>(Color.class);
        for (Color color : colors) {
            result.merge(color, 1, Integer::sum);
        }
        return new LinkedHashMap<>(result);
    }

    @Override
    public Map<Color, Integer> incrementColors(Map<Color, Integer> amounts) {
        Map<Color, Integer> result = new EnumMap<>(Color.class);
        for (Map.Entry<Color, Integer> entry : amounts.entrySet()) {
            result.put(entry.getKey(), entry.getValue() + 1);
        }
        return new LinkedHashMap<>(result);
    }

    @Override
    public Map<Item, Integer> countItems(List<Item> items) {
        Map<Item, Integer> result = new LinkedHashMap<>();
        for (Item item : items) {
            result.put(item, item.getQuantity());
        }
        return result;
    }

    @Override
    public BigDecimal total(Item item) {
        return item.getPrice().multiply(BigDecimal.valueOf(item.getQuantity()));
    }

    @Override
    public BigDecimal totalOfAll(List<Item> items) {
        BigDecimal total = BigDecimal.ZERO;
        for (Item item : items) {
            total = total.add(total(item));
        }
        return total;
    }

    @Override
    public BigDecimal totalOfArray(Item[] items) {
        return totalOfAll(Arrays.asList(items));
    }

    @Override
    public BigDecimal totalOfOrder(Order order) {
        return totalOfAll(order.getItems())
                .add(totalOfArray(order.getGifts()))
                .add(totalOfAll(new ArrayList<>(order.getByShelf().values())));
    }

    @Override
    public Map<String, BigDecimal> totalOfEach(Map<String, List<Item>> itemsByShelf) {
        Map<String, BigDecimal> result = new LinkedHashMap<>();
        for (Map.Entry<String, List<Item>> entry : itemsByShelf.entrySet()) {
            result.put(entry.getKey(), totalOfAll(entry.getValue()));
        }
        return result;
    }

    @Override
    public Page<Item> page(List<Item> items, int size) {
        return new Page<>(new ArrayList<>(items.subList(0, size)), items.get(0), items.size());
    }

    @Override
    public BigDecimal totalOfPage(Page<Item> page) {
        return totalOfAll(page.getContent()).add(total(page.getFirst()));
    }

    @Override
    public long apply(Operation operation, long left, long right) {
        return operation.apply(left, right);
    }

    @Override
    public List<Operation> operations() {
        return new ArrayList<>(Arrays.asList(Operation.values()));
    }
}
