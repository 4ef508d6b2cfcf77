import client.ApiClient;
import client.ApiException;
import client.api.ConformanceServiceApi;
import client.model.Color;
import client.model.Colors;
import client.model.ColorsInput;
import client.model.ConformanceServiceApplyRequest;
import client.model.ConformanceServiceAttachRequest;
import client.model.ConformanceServiceDescribeAllRequest;
import client.model.ConformanceServiceDescribeNullsRequest;
import client.model.ConformanceServiceJoinRequest;
import client.model.ConformanceServicePageRequest;
import client.model.ConformanceServiceRepeatRequest;
import client.model.Containers;
import client.model.ContainersInput;
import client.model.Dates;
import client.model.DatesInput;
import client.model.Employee;
import client.model.EmployeeInput;
import client.model.Item;
import client.model.ItemInput;
import client.model.Measurement;
import client.model.MeasurementInput;
import client.model.Node;
import client.model.NodeInput;
import client.model.Operation;
import client.model.Order;
import client.model.OrderInput;
import client.model.PageItem;
import client.model.PageItemInput;
import client.model.PersonAny;
import client.model.PersonAnyInput;
import client.model.PersonInput;
import client.model.Scalars;
import client.model.ScalarsInput;
import client.model.Table;
import client.model.TableInput;
import client.model.Team;
import client.model.TeamInput;
import client.model.Times;
import client.model.TimesInput;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Calls each method of the conformance service with values that lose something wherever a client is not exact. */
public final class Conformance {
    private static final long LARGE = (1L << 53) + 1;
    private static final BigDecimal DECIMAL =
            new BigDecimal("12345678901234567890.123456789012345678901234567890");
    private static final BigInteger HUGE = new BigInteger("12345678901234567890123456789");
    private static final OffsetDateTime MOMENT = OffsetDateTime.parse("2026-11-21T10:00:00Z");
    private static final LocalDate DAY = LocalDate.of(2024, 2, 29);
    private static final ItemInput ITEM =
            new ItemInput().name("pen").price(new BigDecimal("1.50")).quantity(3);
    private static final Item PEN =
            new Item().name("pen").price(new BigDecimal("1.50")).quantity(3);
    private static final PersonInput AL = new PersonInput()
            .propertyClass(PersonInput.PropertyClassEnum.IO_DUBBOMESH_DEMO_CONFORMANCE_PERSON)
            .name("Al")
            .age(30);
    private static final EmployeeInput BO = new EmployeeInput()
            .propertyClass(EmployeeInput.PropertyClassEnum.IO_DUBBOMESH_DEMO_CONFORMANCE_EMPLOYEE)
            .name("Bo")
            .age(40)
            .company("Acme")
            .skills(List.of("C"));
    private static final Employee BO_AGAIN =
            new Employee().name("Bo").age(40).company("Acme").skills(List.of("C"));

    private final ConformanceServiceApi api;
    private int calls;

    private Conformance(ConformanceServiceApi api) {
        this.api = api;
    }

    public static void main(String[] args) throws ApiException, IOException {
        Set<String> called = new TreeSet<>();
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        client.setRequestInterceptor(
                request -> called.add(request.copy().build().uri().getPath()));
        Conformance conformance = new Conformance(new ConformanceServiceApi(client));
        conformance.callScalars();
        conformance.callTimes();
        conformance.callArrays();
        conformance.callObjects();
        conformance.callCollections();
        conformance.callDescriptions();
        conformance.callOthers();
        conformance.callFailures();

        JsonNode document = new ObjectMapper().readTree(new File("build/conformance.json"));
        Set<String> described = new TreeSet<>();
        document.get("paths").fieldNames().forEachRemaining(described::add);
        same(described, called);
        System.out.printf(
                "%d calls of the %d methods of the conformance service are right%n", conformance.calls, called.size());
    }

    private void callScalars() throws ApiException {
        gets(true, api.conformanceServiceEchoBoolean(List.of(true), null, null, null));
        gets(true, api.conformanceServiceEchoBoxedBoolean(List.of(true), null, null, null));
        gets(-128, api.conformanceServiceEchoByte(List.of(-128), null, null, null));
        gets(-128, api.conformanceServiceEchoBoxedByte(List.of(-128), null, null, null));
        gets(32767, api.conformanceServiceEchoShort(List.of(32767), null, null, null));
        gets(32767, api.conformanceServiceEchoBoxedShort(List.of(32767), null, null, null));
        int least = Integer.MIN_VALUE;
        gets(least, api.conformanceServiceEchoInt(List.of(least), null, null, null));
        gets(least, api.conformanceServiceEchoBoxedInt(List.of(least), null, null, null));
        for (long value : new long[] {LARGE, Long.MAX_VALUE, Long.MIN_VALUE}) {
            gets(value, api.conformanceServiceEchoLong(List.of(value), null, null, null));
            gets(value, api.conformanceServiceEchoBoxedLong(List.of(value), null, null, null));
        }
        gets(0.1f, api.conformanceServiceEchoFloat(List.of(0.1f), null, null, null));
        gets(0.1f, api.conformanceServiceEchoBoxedFloat(List.of(0.1f), null, null, null));
        gets(0.1, api.conformanceServiceEchoDouble(List.of(0.1), null, null, null));
        gets(0.1, api.conformanceServiceEchoBoxedDouble(List.of(0.1), null, null, null));
        gets("€", api.conformanceServiceEchoChar(List.of("€"), null, null, null));
        gets("€", api.conformanceServiceEchoBoxedChar(List.of("€"), null, null, null));
        String text = "quote \" tab \t 你好 😀";
        gets(text, api.conformanceServiceEchoString(List.of(text), null, null, null));
        gets(DECIMAL, api.conformanceServiceEchoBigDecimal(List.of(DECIMAL), null, null, null));
        gets(HUGE, api.conformanceServiceEchoBigInteger(List.of(HUGE), null, null, null));
        gets(null, api.conformanceServiceEchoBoxedBoolean(Collections.singletonList(null), null, null, null));
        gets(null, api.conformanceServiceEchoBoxedLong(Collections.singletonList(null), null, null, null));
        gets(null, api.conformanceServiceEchoString(Collections.singletonList(null), null, null, null));
        gets(null, api.conformanceServiceEchoBigDecimal(Collections.singletonList(null), null, null, null));
        gets(null, api.conformanceServiceEchoDate(Collections.singletonList(null), null, null, null));
        gets(null, api.conformanceServiceEchoColor(Collections.singletonList(null), null, null, null));
    }

    private void callTimes() throws ApiException {
        UUID identifier = UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e");
        gets(identifier.toString(), api.conformanceServiceTextOfUuid(List.of(identifier), null, null, null));
        gets("urn:a:b?c#d", api.conformanceServiceTextOfUri(List.of("urn:a:b?c#d"), null, null, null));
        gets("en_US", api.conformanceServiceTextOfLocale(List.of("en_US"), null, null, null));
        gets("EUR", api.conformanceServiceTextOfCurrency(List.of("EUR"), null, null, null));
        gets("1795255200000", api.conformanceServiceTextOfCalendar(List.of(MOMENT), null, null, null));
        gets(MOMENT, api.conformanceServiceEchoDate(List.of(MOMENT), null, null, null));
        gets(MOMENT, api.conformanceServiceEchoInstant(List.of(MOMENT), null, null, null));
        gets(DAY, api.conformanceServiceEchoLocalDate(List.of(DAY), null, null, null));
        String text = "10:15:30.000000001";
        gets(text, api.conformanceServiceEchoLocalTime(List.of(text), null, null, null));
        text = "2026-11-21T10:15:30";
        gets(text, api.conformanceServiceEchoLocalDateTime(List.of(text), null, null, null));
        text = "2026-11-21T10:15:30+02:00";
        gets(text, api.conformanceServiceEchoOffsetDateTime(List.of(text), null, null, null));
        gets("10:15:30+02:00", api.conformanceServiceEchoOffsetTime(List.of("10:15:30+02:00"), null, null, null));
        text = "2026-11-21T10:15:30+01:00[Europe/Paris]";
        gets(text, api.conformanceServiceEchoZonedDateTime(List.of(text), null, null, null));
        gets("PT1H30M0.5S", api.conformanceServiceEchoDuration(List.of("PT1H30M0.5S"), null, null, null));
        gets("P1Y2M3D", api.conformanceServiceEchoPeriod(List.of("P1Y2M3D"), null, null, null));
        gets("2026", api.conformanceServiceEchoYear(List.of("2026"), null, null, null));
        gets("2026-11", api.conformanceServiceEchoYearMonth(List.of("2026-11"), null, null, null));
        gets("--11-21", api.conformanceServiceEchoMonthDay(List.of("--11-21"), null, null, null));
        gets("Europe/Paris", api.conformanceServiceEchoZoneId(List.of("Europe/Paris"), null, null, null));
        gets("+02:00", api.conformanceServiceEchoZoneOffset(List.of("+02:00"), null, null, null));
    }

    private void callArrays() throws ApiException {
        List<Boolean> flags = List.of(true, false);
        gets(flags, api.conformanceServiceEchoBooleans(List.of(flags), null, null, null));
        gets(flags, api.conformanceServiceEchoBoxedBooleans(List.of(flags), null, null, null));
        byte[] bytes = {0, 1, -1};
        gets(true, Arrays.equals(bytes, api.conformanceServiceEchoBytes(List.of(bytes), null, null, null)));
        List<Integer> numbers = List.of(1, -2);
        gets(numbers, api.conformanceServiceEchoBoxedBytes(List.of(numbers), null, null, null));
        gets(numbers, api.conformanceServiceEchoShorts(List.of(numbers), null, null, null));
        gets(numbers, api.conformanceServiceEchoBoxedShorts(List.of(numbers), null, null, null));
        gets(numbers, api.conformanceServiceEchoInts(List.of(numbers), null, null, null));
        numbers = Arrays.asList(1, null);
        gets(numbers, api.conformanceServiceEchoBoxedInts(List.of(numbers), null, null, null));
        List<Long> longs = List.of(1L, LARGE, Long.MAX_VALUE);
        gets(longs, api.conformanceServiceEchoLongs(List.of(longs), null, null, null));
        gets(longs, api.conformanceServiceEchoBoxedLongs(List.of(longs), null, null, null));
        List<Float> floats = List.of(0.1f, -2f);
        gets(floats, api.conformanceServiceEchoFloats(List.of(floats), null, null, null));
        gets(floats, api.conformanceServiceEchoBoxedFloats(List.of(floats), null, null, null));
        List<Double> doubles = List.of(0.1, -2.0);
        gets(doubles, api.conformanceServiceEchoDoubles(List.of(doubles), null, null, null));
        gets(doubles, api.conformanceServiceEchoBoxedDoubles(List.of(doubles), null, null, null));
        gets("a€", api.conformanceServiceEchoChars(List.of("a€"), null, null, null));
        List<String> texts = Arrays.asList("a", null);
        gets(texts, api.conformanceServiceEchoBoxedChars(List.of(texts), null, null, null));
        texts = Arrays.asList("a", "", null, "😀");
        gets(texts, api.conformanceServiceEchoStrings(List.of(texts), null, null, null));
        List<BigDecimal> decimals = List.of(DECIMAL, BigDecimal.ONE);
        gets(decimals, api.conformanceServiceEchoBigDecimals(List.of(decimals), null, null, null));
        List<BigInteger> integers = List.of(HUGE, BigInteger.ONE);
        gets(integers, api.conformanceServiceEchoBigIntegers(List.of(integers), null, null, null));
        List<OffsetDateTime> moments = Arrays.asList(MOMENT, null);
        gets(moments, api.conformanceServiceEchoDates(List.of(moments), null, null, null));
        gets(List.of(DAY), api.conformanceServiceEchoLocalDates(List.of(List.of(DAY)), null, null, null));
        List<List<Integer>> matrix = List.of(List.of(1, 2), List.of(), List.of(3));
        gets(matrix, api.conformanceServiceEchoMatrix(List.of(matrix), null, null, null));
        List<Color> colors = List.of(Color.RED, Color.BLUE);
        gets(colors, api.conformanceServiceEchoColors(List.of(colors), null, null, null));
        gets(
                Arrays.asList(PEN, null),
                api.conformanceServiceEchoItems(List.of(Arrays.asList(ITEM, null)), null, null, null));
    }

    private void callObjects() throws ApiException {
        Object object = Map.of("a", Arrays.asList(1, true, null));
        gets(object, api.conformanceServiceEchoObject(List.of(object), null, null, null));
        gets(Color.GREEN, api.conformanceServiceEchoColor(List.of(Color.GREEN), null, null, null));
        gets(Operation.TIMES, api.conformanceServiceEchoOperation(List.of(Operation.TIMES), null, null, null));
        gets(PEN, api.conformanceServiceEchoItem(ITEM, null, null, null));
        OrderInput order = new OrderInput()
                .id(LARGE)
                .color(Color.RED)
                .placed(MOMENT)
                .items(List.of(ITEM))
                .gifts(List.of(ITEM))
                .byShelf(Map.of("a", ITEM));
        Order expected = new Order()
                .id(LARGE)
                .color(Color.RED)
                .placed(MOMENT)
                .items(List.of(PEN))
                .gifts(List.of(PEN))
                .byShelf(Map.of("a", PEN));
        gets(expected, api.conformanceServiceEchoOrder(order, null, null, null));
        gets(new BigDecimal("13.50"), api.conformanceServiceTotalOfOrder(order, null, null, null));
        order.customer(new PersonAnyInput(BO));
        Order echoed = api.conformanceServiceEchoOrder(order, null, null, null);
        gets(BO_AGAIN, echoed.getCustomer().getEmployee());
        gets(BO_AGAIN, api.conformanceServiceEchoEmployee(BO, null, null, null));
        // The classes of a result are not named: the first that has all fields is taken.
        Team echoedTeam = api.conformanceServiceEchoTeam(team(), null, null, null);
        gets("Al", echoedTeam.getLead().getEmployee().getName());
        gets(BO_AGAIN, echoedTeam.getMembers().get(0).getEmployee());
        gets(null, echoedTeam.getMembers().get(1));
        gets(
                new Scalars()
                        .flag(true)
                        .tiny(-128)
                        .small(32767)
                        .count(-7)
                        .total(LARGE)
                        .precise(0.1)
                        .letter("€")
                        .boxedFlag(false)
                        .boxedTiny(1)
                        .boxedSmall(2)
                        .boxedCount(3)
                        .boxedTotal(Long.MAX_VALUE)
                        .boxedRatio(0.1f)
                        .boxedPrecise(2.5)
                        .text("t")
                        .price(DECIMAL)
                        .huge(HUGE),
                api.conformanceServiceEchoScalars(scalars(), null, null, null));
        gets(
                new Measurement().value(1.5f).unit(7),
                api.conformanceServiceEchoMeasurement(
                        new MeasurementInput().value(1.5f).unit(7), null, null, null));
        List<List<Integer>> rows = List.of(List.of(1, 2), List.of(), List.of(3));
        gets(
                new Table().rows(rows),
                api.conformanceServiceEchoTable(new TableInput().rows(rows), null, null, null));
        Containers containers = api.conformanceServiceEchoContainers(containers(), null, null, null);
        gets(true, Arrays.equals(new byte[] {0, 1, -1}, containers.getBytes()));
        gets(
                new Containers()
                        .ints(List.of(1))
                        .strings(Arrays.asList("a", null))
                        .longs(List.of(LARGE))
                        .colors(List.of(Color.RED))
                        .prices(List.of(DECIMAL))
                        .counts(Map.of("a", 1))
                        .namesByNumber(List.of(List.of(1, "one")))
                        .itemsByShelf(Map.of("s", List.of(PEN)))
                        .anything(List.of("x")),
                containers.bytes(null));
        gets(
                new Dates().date(MOMENT).array(List.of(MOMENT))._list(List.of(MOMENT)).byName(Map.of("a", MOMENT)),
                api.conformanceServiceEchoDateFields(
                        new DatesInput()
                                .date(MOMENT)
                                .array(List.of(MOMENT))
                                ._list(List.of(MOMENT))
                                .byName(Map.of("a", MOMENT)),
                        null,
                        null,
                        null));
        gets(
                new Times()
                        .date(DAY)
                        .dateTime("2026-11-21T10:15:30")
                        .instant(MOMENT)
                        .duration("PT1M")
                        .holidays(List.of(DAY)),
                api.conformanceServiceEchoTimes(times(), null, null, null));
        gets(
                new Colors()
                        .favourite(Color.RED)
                        .array(List.of(Color.GREEN))
                        ._list(List.of(Color.BLUE))
                        .amounts(Map.of("RED", 1)),
                api.conformanceServiceEchoColorFields(
                        new ColorsInput()
                                .favourite(Color.RED)
                                .array(List.of(Color.GREEN))
                                ._list(List.of(Color.BLUE))
                                .amounts(Map.of("RED", 1)),
                        null,
                        null,
                        null));
        PageItemInput page = new PageItemInput().content(List.of(ITEM)).first(ITEM).total(LARGE);
        gets(
                new PageItem().content(List.of(PEN)).first(PEN).total(LARGE),
                api.conformanceServiceEchoPage(page, null, null, null));
        gets(new BigDecimal("9.00"), api.conformanceServiceTotalOfPage(page, null, null, null));
    }

    private void callCollections() throws ApiException {
        gets(
                List.of(LARGE + 1, 0L),
                api.conformanceServiceIncrement(List.of(List.of(LARGE, -1L)), null, null, null));
        gets(List.of("A", "SS"), api.conformanceServiceUpperCase(List.of(List.of("a", "ß")), null, null, null));
        gets(List.of(DECIMAL.negate()), api.conformanceServiceNegate(List.of(List.of(DECIMAL)), null, null, null));
        gets(
                Map.of("a+1", 2),
                api.conformanceServiceIncrementEach(List.of(Map.of("a", 1)), null, null, null));
        gets(List.of(2, 0), api.conformanceServiceIncrementShorts(List.of(List.of(1, -1)), null, null, null));
        gets(Map.of("a", 1.5f), api.conformanceServiceHalveEach(List.of(Map.of("a", 3f)), null, null, null));
        gets(
                List.of(List.of(1, 3), List.of(2, 4)),
                api.conformanceServiceTranspose(List.of(List.of(List.of(1, 2), List.of(3, 4))), null, null, null));
        gets(
                List.of(Map.of("a", LARGE + 1)),
                api.conformanceServiceIncrementAll(List.of(List.of(Map.of("a", LARGE))), null, null, null));
        byte[] bytes = {1, 2, 3};
        List<byte[]> reversed = api.conformanceServiceReverseEach(List.of(List.of(bytes)), null, null, null);
        gets(true, Arrays.equals(new byte[] {3, 2, 1}, reversed.get(0)));
        gets(
                List.of(MOMENT.plusDays(1)),
                api.conformanceServiceNextDays(List.of(List.of(MOMENT)), null, null, null));
        gets(
                List.of(LocalDate.of(2024, 3, 1)),
                api.conformanceServiceNextLocalDays(List.of(List.of(DAY)), null, null, null));
        gets(
                List.of(List.of(2, "one")),
                api.conformanceServiceTrimNames(List.of(List.of(List.of(1, " one "))), null, null, null));
        gets(
                "[[9007199254740994, {price=1.5, quantity=6, name=pen}]]",
                String.valueOf(api.conformanceServiceDoubleQuantities(
                        List.of(List.of(List.of(LARGE, ITEM))), null, null, null)));
        gets(
                List.of(List.of(false, "a")),
                api.conformanceServiceInvert(List.of(List.of(List.of(true, "a"))), null, null, null));
        gets(List.of(Color.BLUE), api.conformanceServiceRotate(List.of(List.of(Color.GREEN)), null, null, null));
        gets(
                List.of(Color.GREEN, Color.BLUE),
                api.conformanceServiceOthers(List.of(List.of(Color.RED)), null, null, null));
        gets(
                Map.of("RED", 2),
                api.conformanceServiceCount(List.of(List.of(Color.RED, Color.RED)), null, null, null));
        gets(
                Map.of("RED", 2),
                api.conformanceServiceIncrementColors(List.of(Map.of("RED", 1)), null, null, null));
        gets(
                "[[{price=1.5, quantity=3, name=pen}, 3]]",
                String.valueOf(api.conformanceServiceCountItems(List.of(List.of(ITEM)), null, null, null)));
        gets(new BigDecimal("4.50"), api.conformanceServiceTotal(ITEM, null, null, null));
        gets(
                new BigDecimal("9.00"),
                api.conformanceServiceTotalOfAll(List.of(List.of(ITEM, ITEM)), null, null, null));
        gets(new BigDecimal("4.50"), api.conformanceServiceTotalOfArray(List.of(List.of(ITEM)), null, null, null));
        gets(
                Map.of("a", new BigDecimal("4.50")),
                api.conformanceServiceTotalOfEach(List.of(Map.of("a", List.of(ITEM))), null, null, null));
        gets(
                new PageItem().content(List.of(PEN)).first(PEN).total(2L),
                api.conformanceServicePage(
                        new ConformanceServicePageRequest().items(List.of(ITEM, ITEM)).size(1), null, null, null));
        gets(
                2 * LARGE,
                api.conformanceServiceApply(
                        new ConformanceServiceApplyRequest().operation(Operation.TIMES).left(LARGE).right(2L),
                        null,
                        null,
                        null));
        gets(List.of(Operation.PLUS, Operation.TIMES), api.conformanceServiceOperations(null, null, null));
    }

    /** Calls the methods that tell what the provider has got. */
    private void callDescriptions() throws ApiException {
        gets("Long " + LARGE, api.conformanceServiceDescribe(List.of(LARGE), null, null, null));
        gets(
                "[Integer 1, String a, null]",
                api.conformanceServiceDescribeList(List.of(Arrays.asList(1, "a", null)), null, null, null));
        gets(
                "{String a=Boolean true}",
                api.conformanceServiceDescribeMap(List.of(Map.of("a", true)), null, null, null));
        gets("[Long 1]", api.conformanceServiceDescribeLongs(List.of(List.of(1L)), null, null, null));
        gets(
                "Scalars(flag=Boolean true, tiny=Byte -128, small=Short 32767, count=Integer -7, "
                        + "total=Long 9007199254740993, precise=Double 0.1, letter=Character U+20AC, "
                        + "boxedFlag=Boolean false, boxedTiny=Byte 1, boxedSmall=Short 2, boxedCount=Integer 3, "
                        + "boxedTotal=Long 9223372036854775807, boxedRatio=Float 0.1, boxedPrecise=Double 2.5, "
                        + "boxedLetter=null, text=String t, price=BigDecimal " + DECIMAL + ", huge=BigInteger "
                        + HUGE + ")",
                api.conformanceServiceDescribeScalars(scalars(), null, null, null));
        gets(
                "Containers(bytes=byte[Byte 0, Byte 1, Byte -1], ints=int[Integer 1], strings=String[String a, null], "
                        + "longs=[Long 9007199254740993], colors=set[Color RED], prices=[BigDecimal " + DECIMAL
                        + "], counts={String a=Integer 1}, namesByNumber={Integer 1=String one}, "
                        + "itemsByShelf={String s=[Item(name=String pen, price=BigDecimal 1.50, quantity=Integer 3)]}, "
                        + "anything=[String x])",
                api.conformanceServiceDescribeContainers(containers(), null, null, null));
        gets(
                "Times(date=LocalDate 2024-02-29, dateTime=LocalDateTime 2026-11-21T10:15:30, "
                        + "instant=Instant 2026-11-21T10:00:00Z, duration=Duration PT1M, "
                        + "holidays=[LocalDate 2024-02-29])",
                api.conformanceServiceDescribeTimes(times(), null, null, null));
        gets(
                "Team(lead=Person(name=String Al, age=Integer 30), members=[Employee(company=String Acme, "
                        + "skills=[String C], name=String Bo, age=Integer 40), null])",
                api.conformanceServiceDescribeTeam(team(), null, null, null));
        gets(
                "n Object[Integer 1, String a]",
                api.conformanceServiceDescribeAll(
                        new ConformanceServiceDescribeAllRequest().name("n").values(List.of(1, "a")),
                        null,
                        null,
                        null));
        gets(
                "[String a, Integer 1, Item(name=String pen, price=BigDecimal 1.50, quantity=Integer 3), [Long 1], "
                        + "int[Integer 1], Color RED, Boolean true]",
                api.conformanceServiceDescribeNulls(
                        new ConformanceServiceDescribeNullsRequest()
                                .text("a")
                                .number(1)
                                .item(ITEM)
                                ._list(List.of(1L))
                                .array(List.of(1))
                                .color(Color.RED)
                                .any(true),
                        null,
                        null,
                        null));
    }

    private void callOthers() throws ApiException {
        gets("pong", api.conformanceServicePing(null, null, null));
        gets(6, api.conformanceServiceSum(List.of(List.of(1, 2, 3)), null, null, null));
        gets(
                "a-b",
                api.conformanceServiceJoin(
                        new ConformanceServiceJoinRequest().separator("-").parts(List.of("a", "b")),
                        null,
                        null,
                        null));
        gets("(int)", api.conformanceServiceOverloaded("int", null, null, null, List.of(1)));
        gets("(long)", api.conformanceServiceOverloaded("long", null, null, null, List.of(1)));
        gets("(int, int)", api.conformanceServiceOverloaded("int, int", null, null, null, List.of(1, 2)));
        api.conformanceServiceNothing(null, null, null);
        api.conformanceServiceNothingLater(null, null, null);
        api.conformanceServiceSwallow(List.of("a"), null, null, null);
        gets(null, api.conformanceServiceNullString(null, null, null));
        gets(null, api.conformanceServiceNullInteger(null, null, null));
        gets(null, api.conformanceServiceNullItem(null, null, null));
        gets(null, api.conformanceServiceNullList(null, null, null));
        gets(Arrays.asList(null, "a", null), api.conformanceServiceListWithNulls(null, null, null));
        gets(List.of(), api.conformanceServiceEmptyList(null, null, null));
        gets(Map.of(), api.conformanceServiceEmptyMap(null, null, null));
        gets(List.of(), api.conformanceServiceEmptyArray(null, null, null));

        gets(
                new Node().value(7).next(new Node().value(7)),
                api.conformanceServiceChain(List.of(2), null, null, null));
        NodeInput chain = new NodeInput().value(1).next(new NodeInput().value(2));
        gets(2, api.conformanceServiceLengthOf(chain, null, null, null));
        List<Object> nested = List.of(List.of(List.of()));
        gets(nested, api.conformanceServiceNested(List.of(3), null, null, null));
        gets(3, api.conformanceServiceDepthOf(List.of(nested), null, null, null));
        gets(
                "aa",
                api.conformanceServiceRepeat(
                        new ConformanceServiceRepeatRequest().text("a").times(2), null, null, null));
        gets(2, api.conformanceServiceLengthOfText(List.of("a€"), null, null, null));
        gets(List.of(PEN, PEN, PEN), api.conformanceServiceShared(null, null, null));
        List<PersonAny> people = api.conformanceServicePeople(null, null, null);
        gets(
                new Employee().name("Al").age(30).company("Acme").skills(List.of("Java")),
                people.get(0).getEmployee());
        gets("Bo", people.get(1).getEmployee().getName());
        gets(
                Map.of("name", "Al", "age", 30, "company", "Acme", "skills", List.of("Java")),
                api.conformanceServiceAnyEmployee(null, null, null));

        gets("later", api.conformanceServiceLater(List.of("later"), null, null, null));
        gets(PEN, api.conformanceServiceItemLater(ITEM, null, null, null));
        gets("b", api.conformanceServiceAttachment(List.of("x-a"), null, "{\"x-a\":\"b\"}", null));
        gets(
                "v",
                api.conformanceServiceAttach(
                        new ConformanceServiceAttachRequest().key("x-k").value("v"), null, null, null));
        gets("plain", api.conformanceServiceVersion(null, null, null));
    }

    private void callFailures() throws ApiException {
        List<String> closed = List.of("closed");
        fails("java.lang.IllegalStateException", () -> api.conformanceServiceFailUnchecked(closed, null, null, null));
        fails("ClosedException", () -> api.conformanceServiceFailOwnUnchecked(closed, null, null, null));
        fails("OutOfStockException", () -> api.conformanceServiceFailChecked(closed, null, null, null));
        fails("OutOfStockException", () -> api.conformanceServiceFailWithCauses(closed, null, null, null));
        fails("java.lang.IllegalArgumentException", () -> api.conformanceServiceFailWithoutMessage(null, null, null));
        fails("ClosedException", () -> api.conformanceServiceFailLater(closed, null, null, null));
        // Those that the provider or the agent cannot write.
        fails("PROVIDER_ERROR", () -> api.conformanceServiceFailUndeclared(closed, null, null, null));
        fails("PROVIDER_ERROR", () -> api.conformanceServiceRing(null, null, null));
    }

    private static TeamInput team() {
        return new TeamInput().lead(new PersonAnyInput(AL)).members(Arrays.asList(new PersonAnyInput(BO), null));
    }

    private static ScalarsInput scalars() {
        return new ScalarsInput()
                .flag(true)
                .tiny(-128)
                .small(32767)
                .count(-7)
                .total(LARGE)
                .precise(0.1)
                .letter("€")
                .boxedFlag(false)
                .boxedTiny(1)
                .boxedSmall(2)
                .boxedCount(3)
                .boxedTotal(Long.MAX_VALUE)
                .boxedRatio(0.1f)
                .boxedPrecise(2.5)
                .text("t")
                .price(DECIMAL)
                .huge(HUGE);
    }

    private static ContainersInput containers() {
        return new ContainersInput()
                .bytes(new byte[] {0, 1, -1})
                .ints(List.of(1))
                .strings(Arrays.asList("a", null))
                .longs(List.of(LARGE))
                .colors(List.of(Color.RED))
                .prices(List.of(DECIMAL))
                .counts(Map.of("a", 1))
                .namesByNumber(List.of(List.of(1, "one")))
                .itemsByShelf(Map.of("s", List.of(ITEM)))
                .anything(List.of("x"));
    }

    private static TimesInput times() {
        return new TimesInput()
                .date(DAY)
                .dateTime("2026-11-21T10:15:30")
                .instant(MOMENT)
                .duration("PT1M")
                .holidays(List.of(DAY));
    }

    private interface Call {
        void run() throws ApiException;
    }

    /** @param named the class of the exception, or the code of the failure */
    private void fails(String named, Call call) {
        try {
            call.run();
        } catch (ApiException e) {
            calls++;
            if (!e.getResponseBody().contains(named)) {
                throw new AssertionError(e.getResponseBody() + " (expected: " + named + ")");
            }
            return;
        }
        throw new AssertionError("no failure (expected: " + named + ")");
    }

    private void gets(Object expected, Object actual) {
        calls++;
        same(expected, actual);
    }

    private static void same(Object expected, Object actual) {
        if (expected == null ? actual != null : !expected.equals(actual)) {
            throw new AssertionError(actual + " (expected: " + expected + ")");
        }
    }
}
