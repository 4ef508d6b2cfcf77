package io.dubbomesh.demo.conformance;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Does not depend on Dubbo: functions give it the call's context, which differs between versions of Dubbo. */
public final class Conformance extends Computations {
    private final String version;
    private final Function<String, String> attachments;
    private final BiConsumer<String, String> resultAttachments;

    /**
     * @param version           the result of {@link #version}
     * @param attachments       returns an attachment of the call in service on this thread, or null
     * @param resultAttachments adds an attachment to the result of that call
     */
    public Conformance(
            String version, Function<String, String> attachments, BiConsumer<String, String> resultAttachments) {
        this.version = version;
        this.attachments = attachments;
        this.resultAttachments = resultAttachments;
    }

    // --- Description of the arguments.

    @Override
    public String describe(Object value) {
        return Description.of(value);
    }

    @Override
    public String describeList(List<Object> values) {
        return Description.of(values);
    }

    @Override
    public String describeMap(Map<String, Object> values) {
        return Description.of(values);
    }

    @Override
    public String describeLongs(List<Long> values) {
        return Description.of(values);
    }

    @Override
    public String describeScalars(Scalars scalars) {
        return Description.of(scalars);
    }

    @Override
    public String describeContainers(Containers containers) {
        return Description.of(containers);
    }

    @Override
    public String describeTimes(Times times) {
        return Description.of(times);
    }

    @Override
    public String describeTeam(Team team) {
        return Description.of(team);
    }

    @Override
    public String describeNulls(
            String text, Integer number, Item item, List<Long> list, int[] array, Color color, Object any) {
        return Description.of(Arrays.asList(text, number, item, list, array, color, any));
    }

    // --- Any number of arguments.

    @Override
    public String ping() {
        return "pong";
    }

    @Override
    public int sum(int... values) {
        return Arrays.stream(values).sum();
    }

    @Override
    public String join(String separator, String... parts) {
        return String.join(separator, parts);
    }

    @Override
    public String describeAll(String name, Object... values) {
        return name + " " + Description.of(values);
    }

    // --- Overloads.

    @Override
    public String overloaded() {
        return "()";
    }

    @Override
    public String overloaded(int value) {
        return "(int)";
    }

    @Override
    public String overloaded(long value) {
        return "(long)";
    }

    @Override
    public String overloaded(Integer value) {
        return "(Integer)";
    }

    @Override
    public String overloaded(String value) {
        return "(String)";
    }

    @Override
    public String overloaded(Item item) {
        return "(Item)";
    }

    @Override
    public String overloaded(List<Long> values) {
        return "(List)";
    }

    @Override
    public String overloaded(int left, int right) {
        return "(int, int)";
    }

    @Override
    public String overloaded(String left, int right) {
        return "(String, int)";
    }

    // --- No value, and empty ones.

    @Override
    public void nothing() {}

    @Override
    public void swallow(String value) {}

    @Override
    public String nullString() {
        return null;
    }

    @Override
    public Integer nullInteger() {
        return null;
    }

    @Override
    public Item nullItem() {
        return null;
    }

    @Override
    public List<Long> nullList() {
        return null;
    }

    @Override
    public List<String> listWithNulls() {
        return new ArrayList<>(Arrays.asList(null, "a", null));
    }

    @Override
    public List<Item> emptyList() {
        return new ArrayList<>();
    }

    @Override
    public Map<String, Item> emptyMap() {
        return new LinkedHashMap<>();
    }

    @Override
    public int[] emptyArray() {
        return new int[0];
    }

    // --- Depth, size, references.

    @Override
    public Node chain(int length) {
        Node chain = null;
        for (int i = 0; i < length; i++) {
            chain = new Node(7, chain);
        }
        return chain;
    }

    @Override
    public int lengthOf(Node chain) {
        int length = 0;
        for (Node node = chain; node != null; node = node.getNext()) {
            length++;
        }
        return length;
    }

    @Override
    public List<Object> nested(int depth) {
        List<Object> nested = new ArrayList<>();
        for (int i = 1; i < depth; i++) {
            nested = new ArrayList<>(Collections.singletonList(nested));
        }
        return nested;
    }

    @Override
    public int depthOf(Object nested) {
        int depth = 0;
        for (Object value = nested; value instanceof List<?> list; value = list.isEmpty() ? null : list.get(0)) {
            depth++;
        }
        return depth;
    }

    @Override
    public String repeat(String text, int times) {
        return text.repeat(times);
    }

    @Override
    public int lengthOfText(String text) {
        return text.length();
    }

    @Override
    public List<Item> shared() {
        Item item = new Item("pen", new BigDecimal("1.50"), 3);
        return new ArrayList<>(List.of(item, item, item));
    }

    @Override
    public Node ring() {
        Node node = new Node(1, null);
        node.setNext(node);
        return node;
    }

    @Override
    public List<Person> people() {
        return new ArrayList<>(List.of((Person) anyEmployee(), new Person("Bo", 20)));
    }

    @Override
    public Object anyEmployee() {
        return new Employee("Al", 30, "Acme", new ArrayList<>(List.of("Java")));
    }

    // --- Exceptions.

    @Override
    public String failUnchecked(String message) {
        throw new IllegalStateException(message);
    }

    @Override
    public String failOwnUnchecked(String message) throws ClosedException {
        throw new ClosedException(message);
    }

    @Override
    public String failChecked(String message) throws OutOfStockException {
        throw new OutOfStockException(message, 2, null);
    }

    @Override
    public String failWithCauses(String message) throws OutOfStockException {
        throw new OutOfStockException(
                message, 2, new IllegalStateException("shelf is gone", new IllegalArgumentException("disk is full")));
    }

    @Override
    public String failWithoutMessage() {
        throw new IllegalArgumentException();
    }

    @Override
    public String failUndeclared(String message) {
        throw new UnsupportedOperationException(message);
    }

    // --- Asynchronous results.

    @Override
    public CompletableFuture<String> later(String value) {
        return CompletableFuture.supplyAsync(() -> value);
    }

    @Override
    public CompletableFuture<Item> itemLater(Item item) {
        return CompletableFuture.supplyAsync(() -> item);
    }

    @Override
    public CompletableFuture<Void> nothingLater() {
        return CompletableFuture.runAsync(() -> {});
    }

    @Override
    public CompletableFuture<String> failLater(String message) {
        return CompletableFuture.supplyAsync(() -> {
            throw new ClosedException(message);
        });
    }

    // --- The call itself.

    @Override
    public String attachment(String key) {
        return attachments.apply(key);
    }

    @Override
    public String attach(String key, String value) {
        resultAttachments.accept(key, value);
        return value;
    }

    @Override
    public String version() {
        return version;
    }
}
