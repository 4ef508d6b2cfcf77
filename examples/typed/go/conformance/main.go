// Calls each method of the conformance service with values that lose something wherever a client is not exact.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/oapi-codegen/runtime/types"

	api "dubbomesh.example/typed/build/conformance"
)

const (
	large    = 1<<53 + 1
	classes  = "io.dubbomesh.demo.conformance."
	prefix   = "ConformanceService"
	document = "build/conformance.json"
)

var (
	ctx     = context.Background()
	client  *api.ClientWithResponses
	called  = map[string]bool{}
	calls   int
	moment  = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	day     = types.Date{Time: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}
	decimal = json.Number("12345678901234567890.123456789012345678901234567890")
	huge    = json.Number("12345678901234567890123456789")
	price   = json.Number("1.50")
	item    = api.ItemInput{Name: to("pen"), Price: &price, Quantity: to(int32(3))}
	pen     = api.Item{Name: to("pen"), Price: &price, Quantity: to(int32(3))}
	person  = api.PersonInput{Class: classes + "Person", Name: to("Al"), Age: to(int32(30))}
	bo      = api.EmployeeInput{
		Class: classes + "Employee", Name: to("Bo"), Age: to(int32(40)), Company: to("Acme"), Skills: to(list("C")),
	}
)

func main() {
	var err error
	client, err = api.NewClientWithResponses(os.Args[1])
	check(err)
	callScalars()
	callTimes()
	callArrays()
	callObjects()
	callCollections()
	callDescriptions()
	callOthers()
	callFailures()
	requireAll()
	fmt.Printf("%d calls of the %d methods of the conformance service are right\n", calls, len(called))
}

func callScalars() {
	gets(true)(client.ConformanceServiceEchoBooleanWithResponse(ctx, nil, []bool{true}))
	gets(true)(client.ConformanceServiceEchoBoxedBooleanWithResponse(ctx, nil, list(true)))
	gets(int8(-128))(client.ConformanceServiceEchoByteWithResponse(ctx, nil, []int8{-128}))
	gets(int8(-128))(client.ConformanceServiceEchoBoxedByteWithResponse(ctx, nil, list(int8(-128))))
	gets(int16(32767))(client.ConformanceServiceEchoShortWithResponse(ctx, nil, []int16{32767}))
	gets(int16(32767))(client.ConformanceServiceEchoBoxedShortWithResponse(ctx, nil, list(int16(32767))))
	gets(int32(math.MinInt32))(client.ConformanceServiceEchoIntWithResponse(ctx, nil, []int32{math.MinInt32}))
	gets(int32(math.MinInt32))(client.ConformanceServiceEchoBoxedIntWithResponse(ctx, nil, list(int32(math.MinInt32))))
	for _, value := range []int64{large, math.MaxInt64, math.MinInt64} {
		gets(value)(client.ConformanceServiceEchoLongWithResponse(ctx, nil, []int64{value}))
		gets(value)(client.ConformanceServiceEchoBoxedLongWithResponse(ctx, nil, list(value)))
	}
	gets(float32(0.1))(client.ConformanceServiceEchoFloatWithResponse(ctx, nil, []float32{0.1}))
	gets(float32(0.1))(client.ConformanceServiceEchoBoxedFloatWithResponse(ctx, nil, list(float32(0.1))))
	gets(0.1)(client.ConformanceServiceEchoDoubleWithResponse(ctx, nil, []float64{0.1}))
	gets(0.1)(client.ConformanceServiceEchoBoxedDoubleWithResponse(ctx, nil, list(0.1)))
	gets("€")(client.ConformanceServiceEchoCharWithResponse(ctx, nil, []string{"€"}))
	gets("€")(client.ConformanceServiceEchoBoxedCharWithResponse(ctx, nil, list("€")))
	text := "quote \" tab \t 你好 😀"
	gets(text)(client.ConformanceServiceEchoStringWithResponse(ctx, nil, list(text)))
	gets(decimal)(client.ConformanceServiceEchoBigDecimalWithResponse(ctx, nil, list(decimal)))
	gets(huge)(client.ConformanceServiceEchoBigIntegerWithResponse(ctx, nil, list(huge)))
	// Of a result that is null, JSON200 has the zero value: only Body tells.
	getsNull(client.ConformanceServiceEchoBoxedBooleanWithResponse(ctx, nil, []*bool{nil}))
	getsNull(client.ConformanceServiceEchoBoxedLongWithResponse(ctx, nil, []*int64{nil}))
	getsNull(client.ConformanceServiceEchoStringWithResponse(ctx, nil, []*string{nil}))
	getsNull(client.ConformanceServiceEchoBigDecimalWithResponse(ctx, nil, []*json.Number{nil}))
	getsNull(client.ConformanceServiceEchoDateWithResponse(ctx, nil, []*time.Time{nil}))
	getsNull(client.ConformanceServiceEchoColorWithResponse(ctx, nil, []*api.Color{nil}))
}

func callTimes() {
	identifier := uuid.MustParse("0f8fad5b-d9cb-469f-a165-70867728950e")
	gets(identifier.String())(client.ConformanceServiceTextOfUuidWithResponse(ctx, nil, list(identifier)))
	gets("urn:a:b?c#d")(client.ConformanceServiceTextOfUriWithResponse(ctx, nil, list("urn:a:b?c#d")))
	gets("en_US")(client.ConformanceServiceTextOfLocaleWithResponse(ctx, nil, list("en_US")))
	gets("EUR")(client.ConformanceServiceTextOfCurrencyWithResponse(ctx, nil, list("EUR")))
	gets("1795255200000")(client.ConformanceServiceTextOfCalendarWithResponse(ctx, nil, list(moment)))
	gets(moment)(client.ConformanceServiceEchoDateWithResponse(ctx, nil, list(moment)))
	gets(moment)(client.ConformanceServiceEchoInstantWithResponse(ctx, nil, list(moment)))
	gets(day)(client.ConformanceServiceEchoLocalDateWithResponse(ctx, nil, list(day)))
	text := "10:15:30.000000001"
	gets(text)(client.ConformanceServiceEchoLocalTimeWithResponse(ctx, nil, list(text)))
	text = "2026-11-21T10:15:30"
	gets(text)(client.ConformanceServiceEchoLocalDateTimeWithResponse(ctx, nil, list(text)))
	text = "2026-11-21T10:15:30+02:00"
	gets(text)(client.ConformanceServiceEchoOffsetDateTimeWithResponse(ctx, nil, list(text)))
	gets("10:15:30+02:00")(client.ConformanceServiceEchoOffsetTimeWithResponse(ctx, nil, list("10:15:30+02:00")))
	text = "2026-11-21T10:15:30+01:00[Europe/Paris]"
	gets(text)(client.ConformanceServiceEchoZonedDateTimeWithResponse(ctx, nil, list(text)))
	gets("PT1H30M0.5S")(client.ConformanceServiceEchoDurationWithResponse(ctx, nil, list("PT1H30M0.5S")))
	gets("P1Y2M3D")(client.ConformanceServiceEchoPeriodWithResponse(ctx, nil, list("P1Y2M3D")))
	gets("2026")(client.ConformanceServiceEchoYearWithResponse(ctx, nil, list("2026")))
	gets("2026-11")(client.ConformanceServiceEchoYearMonthWithResponse(ctx, nil, list("2026-11")))
	gets("--11-21")(client.ConformanceServiceEchoMonthDayWithResponse(ctx, nil, list("--11-21")))
	gets("Europe/Paris")(client.ConformanceServiceEchoZoneIdWithResponse(ctx, nil, list("Europe/Paris")))
	gets("+02:00")(client.ConformanceServiceEchoZoneOffsetWithResponse(ctx, nil, list("+02:00")))
}

func callArrays() {
	gets([]bool{true, false})(client.ConformanceServiceEchoBooleansWithResponse(ctx, nil, list([]bool{true, false})))
	gets(list(true, false))(client.ConformanceServiceEchoBoxedBooleansWithResponse(ctx, nil, list(list(true, false))))
	gets([]byte{0, 1, 255})(client.ConformanceServiceEchoBytesWithResponse(ctx, nil, list([]byte{0, 1, 255})))
	gets(list(int8(1), -2))(client.ConformanceServiceEchoBoxedBytesWithResponse(ctx, nil, list(list(int8(1), -2))))
	gets([]int16{1, -2})(client.ConformanceServiceEchoShortsWithResponse(ctx, nil, list([]int16{1, -2})))
	gets(list(int16(1), -2))(client.ConformanceServiceEchoBoxedShortsWithResponse(ctx, nil, list(list(int16(1), -2))))
	gets([]int32{1, -2})(client.ConformanceServiceEchoIntsWithResponse(ctx, nil, list([]int32{1, -2})))
	ints := []*int32{to(int32(1)), nil}
	gets(ints)(client.ConformanceServiceEchoBoxedIntsWithResponse(ctx, nil, list(ints)))
	gets([]int64{large, 1})(client.ConformanceServiceEchoLongsWithResponse(ctx, nil, list([]int64{large, 1})))
	gets(list(int64(large), 1))(client.ConformanceServiceEchoBoxedLongsWithResponse(ctx, nil, list(list(int64(large), 1))))
	gets([]float32{0.1, -2})(client.ConformanceServiceEchoFloatsWithResponse(ctx, nil, list([]float32{0.1, -2})))
	gets(list(float32(0.1)))(client.ConformanceServiceEchoBoxedFloatsWithResponse(ctx, nil, list(list(float32(0.1)))))
	gets([]float64{0.1, -2})(client.ConformanceServiceEchoDoublesWithResponse(ctx, nil, list([]float64{0.1, -2})))
	gets(list(0.1, -2))(client.ConformanceServiceEchoBoxedDoublesWithResponse(ctx, nil, list(list(0.1, -2))))
	gets("a€")(client.ConformanceServiceEchoCharsWithResponse(ctx, nil, list("a€")))
	texts := []*string{to("a"), nil}
	gets(texts)(client.ConformanceServiceEchoBoxedCharsWithResponse(ctx, nil, list(texts)))
	texts = []*string{to("a"), to(""), nil, to("😀")}
	gets(texts)(client.ConformanceServiceEchoStringsWithResponse(ctx, nil, list(texts)))
	gets(list(decimal, "2"))(client.ConformanceServiceEchoBigDecimalsWithResponse(ctx, nil, list(list(decimal, "2"))))
	gets(list(huge, "1"))(client.ConformanceServiceEchoBigIntegersWithResponse(ctx, nil, list(list(huge, "1"))))
	moments := []*time.Time{&moment, nil}
	gets(moments)(client.ConformanceServiceEchoDatesWithResponse(ctx, nil, list(moments)))
	gets(list(day, day))(client.ConformanceServiceEchoLocalDatesWithResponse(ctx, nil, list(list(day, day))))
	matrix := list([]int32{1, 2}, []int32{}, []int32{3})
	gets(matrix)(client.ConformanceServiceEchoMatrixWithResponse(ctx, nil, list(matrix)))
	colors := list(api.RED, api.BLUE)
	gets(colors)(client.ConformanceServiceEchoColorsWithResponse(ctx, nil, list(colors)))
	gets([]*api.Item{&pen, nil})(client.ConformanceServiceEchoItemsWithResponse(ctx, nil, list([]*api.ItemInput{&item, nil})))
}

func callObjects() {
	object := map[string]any{"a": []any{float64(1), true, nil}}
	gets(object)(client.ConformanceServiceEchoObjectWithResponse(ctx, nil, []any{object}))
	gets(api.GREEN)(client.ConformanceServiceEchoColorWithResponse(ctx, nil, list(api.GREEN)))
	gets(api.TIMES)(client.ConformanceServiceEchoOperationWithResponse(ctx, nil, list(api.TIMES)))
	gets(pen)(client.ConformanceServiceEchoItemWithResponse(ctx, nil, item))
	order := api.OrderInput{
		Id: to(int64(large)), Color: to(api.RED), Placed: &moment, Items: to(list(item)), Gifts: to(list(item)),
		ByShelf: &map[string]*api.ItemInput{"a": &item},
	}
	expected := api.Order{
		Id: to(int64(large)), Color: to(api.RED), Placed: &moment, Items: to(list(pen)), Gifts: to(list(pen)),
		ByShelf: &map[string]*api.Item{"a": &pen},
	}
	gets(expected)(client.ConformanceServiceEchoOrderWithResponse(ctx, nil, order))
	gets(json.Number("13.50"))(client.ConformanceServiceTotalOfOrderWithResponse(ctx, nil, order))
	gets(api.Employee{Name: bo.Name, Age: bo.Age, Company: bo.Company, Skills: bo.Skills})(
		client.ConformanceServiceEchoEmployeeWithResponse(ctx, nil, bo))
	echoed, err := client.ConformanceServiceEchoTeamWithResponse(ctx, nil, team())
	check(err)
	lead, err := echoed.JSON200.Lead.AsPerson()
	same(echoed, err, api.Person{Name: to("Al"), Age: to(int32(30))}, lead)
	member, err := (*echoed.JSON200.Members)[0].AsEmployee()
	same(echoed, err, list("C"), *member.Skills)
	scalars := scalars()
	gets(api.Scalars(scalars))(client.ConformanceServiceEchoScalarsWithResponse(ctx, nil, scalars))
	measurement := api.MeasurementInput{Value: to(float32(1.5)), Unit: to(int32(7))}
	gets(api.Measurement(measurement))(client.ConformanceServiceEchoMeasurementWithResponse(ctx, nil, measurement))
	table := api.TableInput{Rows: to(list(list(int32(1), 2), []*int32{}))}
	gets(api.Table(table))(client.ConformanceServiceEchoTableWithResponse(ctx, nil, table))
	gets(api.Containers{
		Bytes: &[]byte{0, 1, 255}, Ints: &[]int32{1}, Strings: to(list("a")), Longs: to(list(int64(large))),
		Colors: to(list(api.RED)), Prices: to(list(decimal)), Counts: &map[string]*int32{"a": to(int32(1))},
		NamesByNumber: []any{[]any{float64(1), "one"}}, ItemsByShelf: &map[string]*[]*api.Item{"s": to(list(pen))},
		Anything: []any{"x"},
	})(client.ConformanceServiceEchoContainersWithResponse(ctx, nil, containers()))
	dates := api.DatesInput{
		Date: &moment, Array: to(list(moment)), List: &[]*time.Time{&moment, nil},
		ByName: &map[string]*time.Time{"a": &moment},
	}
	gets(api.Dates(dates))(client.ConformanceServiceEchoDateFieldsWithResponse(ctx, nil, dates))
	gets(api.Times(times()))(client.ConformanceServiceEchoTimesWithResponse(ctx, nil, times()))
	colors := api.ColorsInput{
		Favourite: to(api.RED), Array: to(list(api.GREEN)), List: &[]*api.Color{to(api.BLUE), nil},
		Amounts: &map[string]*int32{"RED": to(int32(1))},
	}
	gets(api.Colors(colors))(client.ConformanceServiceEchoColorFieldsWithResponse(ctx, nil, colors))
	page := api.PageItemInput{Content: to(list(item)), First: &item, Total: to(int64(large))}
	gets(api.PageItem{Content: to(list(pen)), First: &pen, Total: to(int64(large))})(
		client.ConformanceServiceEchoPageWithResponse(ctx, nil, page))
	gets(json.Number("9.00"))(client.ConformanceServiceTotalOfPageWithResponse(ctx, nil, page))
}

func callCollections() {
	gets(list(int64(large+1), 0))(client.ConformanceServiceIncrementWithResponse(ctx, nil, list(list(int64(large), -1))))
	gets(list("A", "SS"))(client.ConformanceServiceUpperCaseWithResponse(ctx, nil, list(list("a", "ß"))))
	gets(list("-"+decimal, "2"))(client.ConformanceServiceNegateWithResponse(ctx, nil, list(list(decimal, "-2"))))
	gets(map[string]*int32{"a+1": to(int32(2))})(
		client.ConformanceServiceIncrementEachWithResponse(ctx, nil, list(map[string]*int32{"a": to(int32(1))})))
	gets(list(int16(2), 0))(client.ConformanceServiceIncrementShortsWithResponse(ctx, nil, list(list(int16(1), -1))))
	gets(map[string]*float32{"a": to(float32(1.5))})(
		client.ConformanceServiceHalveEachWithResponse(ctx, nil, list(map[string]*float32{"a": to(float32(3))})))
	gets(list(list(int32(1), 3), list(int32(2), 4)))(
		client.ConformanceServiceTransposeWithResponse(ctx, nil, list(list(list(int32(1), 2), list(int32(3), 4)))))
	gets(list(map[string]*int64{"a": to(int64(large + 1))}))(
		client.ConformanceServiceIncrementAllWithResponse(ctx, nil, list(list(map[string]*int64{"a": to(int64(large))}))))
	gets(list([]byte{3, 2, 1}))(client.ConformanceServiceReverseEachWithResponse(ctx, nil, list(list([]byte{1, 2, 3}))))
	gets(list(moment.AddDate(0, 0, 1)))(client.ConformanceServiceNextDaysWithResponse(ctx, nil, list(list(moment))))
	gets(list(types.Date{Time: day.AddDate(0, 0, 1)}))(
		client.ConformanceServiceNextLocalDaysWithResponse(ctx, nil, list(list(day))))
	getsText(`[[2,"one"]]`)(client.ConformanceServiceTrimNamesWithResponse(ctx, nil, []*[][]any{{{1, " one "}}}))
	getsText(fmt.Sprintf(`[[%d,{"price":1.50,"quantity":6,"name":"pen"}]]`, large+1))(
		client.ConformanceServiceDoubleQuantitiesWithResponse(ctx, nil, []*[][]any{{{large, item}}}))
	getsText(`[[false,"a"]]`)(client.ConformanceServiceInvertWithResponse(ctx, nil, []*[][]any{{{true, "a"}}}))
	gets(list(api.BLUE))(client.ConformanceServiceRotateWithResponse(ctx, nil, list(list(api.GREEN))))
	gets(list(api.GREEN, api.BLUE))(client.ConformanceServiceOthersWithResponse(ctx, nil, list(list(api.RED))))
	amounts := map[string]*int32{"RED": to(int32(2))}
	gets(amounts)(client.ConformanceServiceCountWithResponse(ctx, nil, list(list(api.RED, api.RED))))
	gets(amounts)(client.ConformanceServiceIncrementColorsWithResponse(ctx, nil, list(map[string]*int32{"RED": to(int32(1))})))
	getsText(`[[{"price":1.50,"quantity":3,"name":"pen"},3]]`)(
		client.ConformanceServiceCountItemsWithResponse(ctx, nil, list(list(item))))
	gets(json.Number("4.50"))(client.ConformanceServiceTotalWithResponse(ctx, nil, item))
	gets(json.Number("9.00"))(client.ConformanceServiceTotalOfAllWithResponse(ctx, nil, list(list(item, item))))
	gets(json.Number("4.50"))(client.ConformanceServiceTotalOfArrayWithResponse(ctx, nil, list(list(item))))
	gets(map[string]*json.Number{"a": to(json.Number("4.50"))})(
		client.ConformanceServiceTotalOfEachWithResponse(ctx, nil, list(map[string]*[]*api.ItemInput{"a": to(list(item))})))
	gets(api.PageItem{Content: to(list(pen)), First: &pen, Total: to(int64(2))})(
		client.ConformanceServicePageWithResponse(ctx, nil,
			api.ConformanceServicePageJSONRequestBody{Items: to(list(item, item)), Size: 1}))
	gets(int64(2 * large))(client.ConformanceServiceApplyWithResponse(ctx, nil,
		api.ConformanceServiceApplyJSONRequestBody{Operation: to(api.TIMES), Left: large, Right: 2}))
	gets(list(api.PLUS, api.TIMES))(client.ConformanceServiceOperationsWithResponse(ctx, nil))
}

// callDescriptions calls the methods that tell what the provider has got.
func callDescriptions() {
	gets("Long 9007199254740993")(client.ConformanceServiceDescribeWithResponse(ctx, nil, []any{large}))
	gets("[Integer 1, String a, null]")(client.ConformanceServiceDescribeListWithResponse(ctx, nil, list([]any{1, "a", nil})))
	gets("{String a=Boolean true}")(client.ConformanceServiceDescribeMapWithResponse(ctx, nil, list(map[string]any{"a": true})))
	gets("[Long 1]")(client.ConformanceServiceDescribeLongsWithResponse(ctx, nil, list(list(int64(1)))))
	gets("Scalars(flag=Boolean true, tiny=Byte -128, small=Short 32767, count=Integer -7, total=Long 9007199254740993, " +
		"precise=Double 0.1, letter=Character U+20AC, boxedFlag=Boolean false, boxedTiny=Byte 1, boxedSmall=Short 2, " +
		"boxedCount=Integer 3, boxedTotal=Long 9223372036854775807, boxedRatio=Float 0.1, boxedPrecise=Double 2.5, " +
		"boxedLetter=null, text=String t, price=BigDecimal " + string(decimal) + ", huge=BigInteger " + string(huge) + ")")(
		client.ConformanceServiceDescribeScalarsWithResponse(ctx, nil, scalars()))
	gets("Containers(bytes=byte[Byte 0, Byte 1, Byte -1], ints=int[Integer 1], strings=String[String a], " +
		"longs=[Long 9007199254740993], colors=set[Color RED], prices=[BigDecimal " + string(decimal) + "], " +
		"counts={String a=Integer 1}, namesByNumber={Integer 1=String one}, itemsByShelf={String s=[Item(name=String pen, " +
		"price=BigDecimal 1.50, quantity=Integer 3)]}, anything=[String x])")(
		client.ConformanceServiceDescribeContainersWithResponse(ctx, nil, containers()))
	gets("Times(date=LocalDate 2024-02-29, dateTime=LocalDateTime 2026-11-21T10:15:30, instant=Instant 2026-11-21T10:00:00Z, " +
		"duration=Duration PT1M, holidays=[LocalDate 2024-02-29])")(
		client.ConformanceServiceDescribeTimesWithResponse(ctx, nil, times()))
	gets("Team(lead=Person(name=String Al, age=Integer 30), members=[Employee(company=String Acme, skills=[String C], " +
		"name=String Bo, age=Integer 40), null])")(client.ConformanceServiceDescribeTeamWithResponse(ctx, nil, team()))
	gets("[null, null, null, null, null, null, null]")(
		client.ConformanceServiceDescribeNullsWithResponse(ctx, nil, api.ConformanceServiceDescribeNullsJSONRequestBody{}))
	gets("n Object[Integer 1, String a]")(client.ConformanceServiceDescribeAllWithResponse(ctx, nil,
		api.ConformanceServiceDescribeAllJSONRequestBody{Name: to("n"), Values: &[]any{1, "a"}}))
}

func callOthers() {
	gets("pong")(client.ConformanceServicePingWithResponse(ctx, nil))
	gets(int32(6))(client.ConformanceServiceSumWithResponse(ctx, nil, list([]int32{1, 2, 3})))
	gets("a-b")(client.ConformanceServiceJoinWithResponse(ctx, nil,
		api.ConformanceServiceJoinJSONRequestBody{Separator: to("-"), Parts: to(list("a", "b"))}))
	for types, arguments := range map[string][]any{"": {}, "int": {1}, "long": {1}, "int, int": {1, 2}} {
		which := api.ConformanceServiceOverloadedParamsXDubboParameterTypes(types)
		gets("(" + types + ")")(client.ConformanceServiceOverloadedWithResponse(ctx,
			&api.ConformanceServiceOverloadedParams{XDubboParameterTypes: &which}, arguments))
	}
	getsNull(client.ConformanceServiceNothingWithResponse(ctx, nil))
	getsNull(client.ConformanceServiceSwallowWithResponse(ctx, nil, list("a")))
	getsNull(client.ConformanceServiceNullStringWithResponse(ctx, nil))
	getsNull(client.ConformanceServiceNullIntegerWithResponse(ctx, nil))
	getsNull(client.ConformanceServiceNullItemWithResponse(ctx, nil))
	getsNull(client.ConformanceServiceNullListWithResponse(ctx, nil))
	getsNull(client.ConformanceServiceNothingLaterWithResponse(ctx, nil))
	gets([]*string{nil, to("a"), nil})(client.ConformanceServiceListWithNullsWithResponse(ctx, nil))
	gets([]*api.Item{})(client.ConformanceServiceEmptyListWithResponse(ctx, nil))
	gets(map[string]*api.Item{})(client.ConformanceServiceEmptyMapWithResponse(ctx, nil))
	gets([]int32{})(client.ConformanceServiceEmptyArrayWithResponse(ctx, nil))

	seven := to(int32(7))
	gets(api.Node{Value: seven, Next: &api.Node{Value: seven}})(client.ConformanceServiceChainWithResponse(ctx, nil, []int32{2}))
	gets(int32(2))(client.ConformanceServiceLengthOfWithResponse(ctx, nil,
		api.NodeInput{Value: seven, Next: &api.NodeInput{Value: seven}}))
	nested := []any{[]any{[]any{}}}
	gets(nested)(client.ConformanceServiceNestedWithResponse(ctx, nil, []int32{3}))
	gets(int32(3))(client.ConformanceServiceDepthOfWithResponse(ctx, nil, []any{nested}))
	gets("aa")(client.ConformanceServiceRepeatWithResponse(ctx, nil,
		api.ConformanceServiceRepeatJSONRequestBody{Text: to("a"), Times: 2}))
	gets(int32(2))(client.ConformanceServiceLengthOfTextWithResponse(ctx, nil, list("a€")))
	gets(list(pen, pen, pen))(client.ConformanceServiceSharedWithResponse(ctx, nil))
	people, err := client.ConformanceServicePeopleWithResponse(ctx, nil)
	check(err)
	first, err := (*people.JSON200)[0].AsEmployee()
	same(people, err, api.Employee{Name: to("Al"), Age: to(int32(30)), Company: to("Acme"), Skills: to(list("Java"))}, first)
	second, err := (*people.JSON200)[1].AsPerson()
	same(people, err, api.Person{Name: to("Bo"), Age: to(int32(20))}, second)
	gets(map[string]any{"name": "Al", "age": float64(30), "company": "Acme", "skills": []any{"Java"}})(
		client.ConformanceServiceAnyEmployeeWithResponse(ctx, nil))

	gets("later")(client.ConformanceServiceLaterWithResponse(ctx, nil, list("later")))
	gets(pen)(client.ConformanceServiceItemLaterWithResponse(ctx, nil, item))
	gets("b")(client.ConformanceServiceAttachmentWithResponse(ctx,
		&api.ConformanceServiceAttachmentParams{XDubboAttachments: to(`{"x-a":"b"}`)}, list("x-a")))
	gets("v")(client.ConformanceServiceAttachWithResponse(ctx, nil,
		api.ConformanceServiceAttachJSONRequestBody{Key: to("x-k"), Value: to("v")}))
	gets("plain")(client.ConformanceServiceVersionWithResponse(ctx, nil))
}

func callFailures() {
	closed := list("closed")
	fails("java.lang.IllegalStateException")(client.ConformanceServiceFailUncheckedWithResponse(ctx, nil, closed))
	fails(classes + "ClosedException")(client.ConformanceServiceFailOwnUncheckedWithResponse(ctx, nil, closed))
	fails(classes + "OutOfStockException")(client.ConformanceServiceFailCheckedWithResponse(ctx, nil, closed))
	fails(classes + "OutOfStockException")(client.ConformanceServiceFailWithCausesWithResponse(ctx, nil, closed))
	fails("java.lang.IllegalArgumentException")(client.ConformanceServiceFailWithoutMessageWithResponse(ctx, nil))
	fails(classes + "ClosedException")(client.ConformanceServiceFailLaterWithResponse(ctx, nil, closed))
	// Those that the provider or the agent cannot write.
	undeclared, err := client.ConformanceServiceFailUndeclaredWithResponse(ctx, nil, closed)
	same(undeclared, err, "PROVIDER_ERROR", undeclared.ApplicationproblemJSON502.Code)
	ring, err := client.ConformanceServiceRingWithResponse(ctx, nil)
	same(ring, err, "PROVIDER_ERROR", ring.ApplicationproblemJSON502.Code)
}

func team() api.TeamInput {
	return api.TeamInput{Lead: anyPerson(person), Members: &[]*api.PersonAnyInput{anyEmployee(bo), nil}}
}

func anyPerson(person api.PersonInput) *api.PersonAnyInput {
	var any api.PersonAnyInput
	check(any.FromPersonInput(person))
	return &any
}

func anyEmployee(employee api.EmployeeInput) *api.PersonAnyInput {
	var any api.PersonAnyInput
	check(any.FromEmployeeInput(employee))
	return &any
}

func scalars() api.ScalarsInput {
	return api.ScalarsInput{
		Flag: to(true), Tiny: to(int8(-128)), Small: to(int16(32767)), Count: to(int32(-7)), Total: to(int64(large)),
		Precise: to(0.1), Letter: to("€"), BoxedFlag: to(false), BoxedTiny: to(int8(1)), BoxedSmall: to(int16(2)),
		BoxedCount: to(int32(3)), BoxedTotal: to(int64(math.MaxInt64)), BoxedRatio: to(float32(0.1)),
		BoxedPrecise: to(2.5), Text: to("t"), Price: &decimal, Huge: &huge,
	}
}

func containers() api.ContainersInput {
	return api.ContainersInput{
		Bytes: &[]byte{0, 1, 255}, Ints: &[]int32{1}, Strings: to(list("a")), Longs: to(list(int64(large))),
		Colors: to(list(api.RED)), Prices: to(list(decimal)), Counts: &map[string]*int32{"a": to(int32(1))},
		NamesByNumber: &[][]any{{1, "one"}}, ItemsByShelf: &map[string]*[]*api.ItemInput{"s": to(list(item))},
		Anything: []any{"x"},
	}
}

func times() api.TimesInput {
	return api.TimesInput{
		Date: &day, DateTime: to("2026-11-21T10:15:30"), Instant: &moment, Duration: to("PT1M"), Holidays: to(list(day)),
	}
}

// gets returns a check of the result in an answer.
func gets(expected any) func(response any, err error) {
	return func(response any, err error) {
		check(err)
		result := reflect.ValueOf(response).Elem().FieldByName("JSON200")
		if result.IsNil() {
			same(response, err, expected, nil)
		} else {
			same(response, err, expected, result.Elem().Interface())
		}
	}
}

// getsText returns a check of an answer whose result has no type.
func getsText(expected string) func(response any, err error) {
	return func(response any, err error) {
		check(err)
		same(response, err, expected, string(body(response)))
	}
}

func getsNull(response any, err error) {
	getsText("null")(response, err)
}

// fails returns a check of an answer with an exception of the service.
func fails(exceptionClass string) func(response any, err error) {
	return func(response any, err error) {
		check(err)
		problem := reflect.ValueOf(response).Elem().FieldByName("ApplicationproblemJSON500")
		if problem.IsNil() {
			log.Fatalf("%s (expected: %s)", body(response), exceptionClass)
		}
		same(response, err, exceptionClass, *problem.Interface().(*api.N500).ExceptionClass)
	}
}

func body(response any) []byte {
	return reflect.ValueOf(response).Elem().FieldByName("Body").Bytes()
}

// same counts a call of the method whose response it is.
func same(response any, err error, expected, actual any) {
	check(err)
	method := strings.TrimSuffix(strings.TrimPrefix(reflect.TypeOf(response).Elem().Name(), prefix), "Response")
	called[strings.ToLower(method[:1])+method[1:]] = true
	calls++
	if !reflect.DeepEqual(expected, actual) {
		log.Fatalf("%s: %s is %#v (expected: %#v)", method, body(response), actual, expected)
	}
}

// requireAll fails if a method of the document was not called.
func requireAll() {
	text, err := os.ReadFile(document)
	check(err)
	var described struct{ Paths map[string]any }
	check(json.Unmarshal(text, &described))
	for path := range described.Paths {
		if method := path[strings.LastIndex(path, "/")+1:]; !called[method] {
			log.Fatalf("%s is not called", method)
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func to[T any](value T) *T {
	return &value
}

// list returns values as those that may be null.
func list[T any](values ...T) []*T {
	all := make([]*T, len(values))
	for i := range values {
		all[i] = &values[i]
	}
	return all
}
