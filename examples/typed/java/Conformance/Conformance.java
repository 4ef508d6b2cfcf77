import client.ApiClient;
import client.ApiException;
import client.api.ConformanceServiceApi;
import client.model.Color;
import client.model.ConformanceServiceApplyRequest;
import client.model.EmployeeInput;
import client.model.Item;
import client.model.ItemInput;
import client.model.Operation;
import client.model.Order;
import client.model.OrderInput;
import client.model.PageItem;
import client.model.PageItemInput;
import client.model.PersonAnyInput;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Calls methods of the conformance service with values that lose something wherever a client is not exact. */
public final class Conformance {
    private static final long LARGE = (1L << 53) + 1;

    private final ConformanceServiceApi api;
    private int calls;

    private Conformance(ConformanceServiceApi api) {
        this.api = api;
    }

    public static void main(String[] args) throws ApiException {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        Conformance conformance = new Conformance(new ConformanceServiceApi(client));
        conformance.callScalars();
        conformance.callObjects();
        conformance.callOthers();
        System.out.println(conformance.calls + " calls of the conformance service are right");
    }

    private void callScalars() throws ApiException {
        for (long value : new long[] {LARGE, Long.MAX_VALUE, Long.MIN_VALUE}) {
            same(value, api.conformanceServiceEchoLong(List.of(value), null, null, null));
            same(value, api.conformanceServiceEchoBoxedLong(List.of(value), null, null, null));
        }
        same(null, api.conformanceServiceEchoBoxedLong(Collections.singletonList(null), null, null, null));
        same(true, api.conformanceServiceEchoBoolean(List.of(true), null, null, null));
        same(0.1, api.conformanceServiceEchoDouble(List.of(0.1), null, null, null));
        String text = "quote \" 你好 😀";
        same(text, api.conformanceServiceEchoString(List.of(text), null, null, null));
        BigDecimal decimal = new BigDecimal("12345678901234567890.123456789012345678901234567890");
        same(decimal, api.conformanceServiceEchoBigDecimal(List.of(decimal), null, null, null));
        BigInteger huge = new BigInteger("12345678901234567890123456789");
        same(huge, api.conformanceServiceEchoBigInteger(List.of(huge), null, null, null));
        OffsetDateTime moment = OffsetDateTime.parse("2026-11-21T10:00:00Z");
        same(moment, api.conformanceServiceEchoDate(List.of(moment), null, null, null));
        LocalDate day = LocalDate.of(2024, 2, 29);
        same(day, api.conformanceServiceEchoLocalDate(List.of(day), null, null, null));
        same("PT1H30M0.5S", api.conformanceServiceEchoDuration(List.of("PT1H30M0.5S"), null, null, null));
        same(Color.GREEN, api.conformanceServiceEchoColor(List.of(Color.GREEN), null, null, null));
        byte[] bytes = {0, 1, -1};
        same(true, Arrays.equals(bytes, api.conformanceServiceEchoBytes(List.of(bytes), null, null, null)));
    }

    private void callObjects() throws ApiException {
        ItemInput item = new ItemInput().name("pen").price(new BigDecimal("1.50")).quantity(3);
        Item pen = new Item().name("pen").price(new BigDecimal("1.50")).quantity(3);
        same(pen, api.conformanceServiceEchoItem(item, null, null, null));
        same(
                new PageItem().content(List.of(pen)).first(pen).total(LARGE),
                api.conformanceServiceEchoPage(
                        new PageItemInput().content(List.of(item)).first(item).total(LARGE), null, null, null));
        OffsetDateTime moment = OffsetDateTime.parse("2026-11-21T10:00:00Z");
        EmployeeInput bo = new EmployeeInput()
                .propertyClass(EmployeeInput.PropertyClassEnum.IO_DUBBOMESH_DEMO_CONFORMANCE_EMPLOYEE)
                .name("Bo")
                .company("Acme");
        OrderInput order = new OrderInput().id(LARGE).color(Color.RED).placed(moment).customer(new PersonAnyInput(bo));
        Order echoed = api.conformanceServiceEchoOrder(
                order.items(List.of(item)).gifts(List.of(item)).byShelf(Map.of("a", item)), null, null, null);
        same("Acme", echoed.getCustomer().getEmployee().getCompany());
        same(
                new Order()
                        .id(LARGE)
                        .color(Color.RED)
                        .placed(moment)
                        .customer(echoed.getCustomer())
                        .items(List.of(pen))
                        .gifts(List.of(pen))
                        .byShelf(Map.of("a", pen)),
                echoed);
        same(new BigDecimal("4.50"), api.conformanceServiceTotal(item, null, null, null));
    }

    private void callOthers() throws ApiException {
        same(
                List.of(LARGE + 1, 0L),
                api.conformanceServiceIncrement(List.of(List.of(LARGE, -1L)), null, null, null));
        same(
                Map.of("a+1", 2),
                api.conformanceServiceIncrementEach(List.of(Map.of("a", 1)), null, null, null));
        same(
                List.of(List.of(2, "one")),
                api.conformanceServiceTrimNames(List.of(List.of(List.of(1, " one "))), null, null, null));
        ConformanceServiceApplyRequest product =
                new ConformanceServiceApplyRequest().operation(Operation.TIMES).left(LARGE).right(2L);
        same(2 * LARGE, api.conformanceServiceApply(product, null, null, null));
        same("pong", api.conformanceServicePing(null, null, null));
        api.conformanceServiceNothing(null, null, null);
        try {
            api.conformanceServiceFailOwnUnchecked(List.of("closed"), null, null, null);
            throw new AssertionError("no failure");
        } catch (ApiException e) {
            same(500, e.getCode());
        }
    }

    private void same(Object expected, Object actual) {
        calls++;
        if (expected == null ? actual != null : !expected.equals(actual)) {
            throw new AssertionError(actual + " (expected: " + expected + ")");
        }
    }
}
