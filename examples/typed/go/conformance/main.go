// Calls methods of the conformance service with values that lose something wherever a client is not exact.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"reflect"
	"time"

	"github.com/oapi-codegen/runtime/types"

	api "dubbomesh.example/typed/build/conformance"
)

const large = 1<<53 + 1

var calls int

func main() {
	client, err := api.NewClientWithResponses(os.Args[1])
	check(err)
	ctx := context.Background()
	moment := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	day := types.Date{Time: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}
	decimal := json.Number("12345678901234567890.123456789012345678901234567890")
	huge := json.Number("12345678901234567890123456789")

	for _, value := range []int64{large, math.MaxInt64, math.MinInt64} {
		long, err := client.ConformanceServiceEchoLongWithResponse(ctx, nil, []int64{value})
		same(err, "echoLong", long.Body, &value, long.JSON200)
		boxed, err := client.ConformanceServiceEchoBoxedLongWithResponse(ctx, nil, []*int64{&value})
		same(err, "echoBoxedLong", boxed.Body, &value, boxed.JSON200)
	}
	none, err := client.ConformanceServiceEchoBoxedLongWithResponse(ctx, nil, []*int64{nil})
	same(err, "echoBoxedLong", none.Body, "null", string(none.Body))
	truth, err := client.ConformanceServiceEchoBooleanWithResponse(ctx, nil, []bool{true})
	same(err, "echoBoolean", truth.Body, to(true), truth.JSON200)
	double, err := client.ConformanceServiceEchoDoubleWithResponse(ctx, nil, []float64{0.1})
	same(err, "echoDouble", double.Body, to(0.1), double.JSON200)
	text, err := client.ConformanceServiceEchoStringWithResponse(ctx, nil, []*string{to("quote \" 你好 😀")})
	same(err, "echoString", text.Body, to("quote \" 你好 😀"), text.JSON200)
	amount, err := client.ConformanceServiceEchoBigDecimalWithResponse(ctx, nil, []*json.Number{&decimal})
	same(err, "echoBigDecimal", amount.Body, &decimal, amount.JSON200)
	big, err := client.ConformanceServiceEchoBigIntegerWithResponse(ctx, nil, []*json.Number{&huge})
	same(err, "echoBigInteger", big.Body, &huge, big.JSON200)
	date, err := client.ConformanceServiceEchoDateWithResponse(ctx, nil, []*time.Time{&moment})
	same(err, "echoDate", date.Body, &moment, date.JSON200)
	local, err := client.ConformanceServiceEchoLocalDateWithResponse(ctx, nil, []*types.Date{&day})
	same(err, "echoLocalDate", local.Body, &day, local.JSON200)
	duration, err := client.ConformanceServiceEchoDurationWithResponse(ctx, nil, []*string{to("PT1H30M0.5S")})
	same(err, "echoDuration", duration.Body, to("PT1H30M0.5S"), duration.JSON200)
	color, err := client.ConformanceServiceEchoColorWithResponse(ctx, nil, []*api.Color{to(api.GREEN)})
	same(err, "echoColor", color.Body, to(api.GREEN), color.JSON200)
	bytes, err := client.ConformanceServiceEchoBytesWithResponse(ctx, nil, []*[]byte{{0, 1, 255}})
	same(err, "echoBytes", bytes.Body, &[]byte{0, 1, 255}, bytes.JSON200)

	price := json.Number("1.50")
	item := api.ItemInput{Name: to("pen"), Price: &price, Quantity: to(int32(3))}
	pen := api.Item{Name: to("pen"), Price: &price, Quantity: to(int32(3))}
	echoed, err := client.ConformanceServiceEchoItemWithResponse(ctx, nil, item)
	same(err, "echoItem", echoed.Body, &pen, echoed.JSON200)
	page, err := client.ConformanceServiceEchoPageWithResponse(ctx, nil,
		api.PageItemInput{Content: &[]*api.ItemInput{&item}, First: &item, Total: to(int64(large))})
	same(err, "echoPage", page.Body,
		&api.PageItem{Content: &[]*api.Item{&pen}, First: &pen, Total: to(int64(large))}, page.JSON200)
	order, err := client.ConformanceServiceEchoOrderWithResponse(ctx, nil, api.OrderInput{
		Id: to(int64(large)), Color: to(api.RED), Placed: &moment, Items: &[]*api.ItemInput{&item},
		ByShelf: &map[string]*api.ItemInput{"a": &item},
	})
	same(err, "echoOrder", order.Body, &api.Order{
		Id: to(int64(large)), Color: to(api.RED), Placed: &moment, Items: &[]*api.Item{&pen},
		ByShelf: &map[string]*api.Item{"a": &pen},
	}, order.JSON200)

	more, err := client.ConformanceServiceIncrementWithResponse(ctx, nil, []*[]*int64{{to(int64(large)), to(int64(-1))}})
	same(err, "increment", more.Body, &[]*int64{to(int64(large + 1)), to(int64(0))}, more.JSON200)
	each, err := client.ConformanceServiceIncrementEachWithResponse(ctx, nil, []*map[string]*int32{{"a": to(int32(1))}})
	same(err, "incrementEach", each.Body, &map[string]*int32{"a+1": to(int32(2))}, each.JSON200)
	names, err := client.ConformanceServiceTrimNamesWithResponse(ctx, nil, []*[][]any{{{1, " one "}}})
	same(err, "trimNames", names.Body, `[[2,"one"]]`, string(names.Body))
	product, err := client.ConformanceServiceApplyWithResponse(ctx, nil,
		api.ConformanceServiceApplyJSONRequestBody{Operation: to(api.TIMES), Left: large, Right: 2})
	same(err, "apply", product.Body, to(int64(2*large)), product.JSON200)
	total, err := client.ConformanceServiceTotalWithResponse(ctx, nil, item)
	same(err, "total", total.Body, to(json.Number("4.50")), total.JSON200)
	pong, err := client.ConformanceServicePingWithResponse(ctx, nil)
	same(err, "ping", pong.Body, to("pong"), pong.JSON200)
	nothing, err := client.ConformanceServiceNothingWithResponse(ctx, nil)
	same(err, "nothing", nothing.Body, 200, nothing.StatusCode())
	closed, err := client.ConformanceServiceFailOwnUncheckedWithResponse(ctx, nil, []*string{to("closed")})
	check(err)
	same(err, "failOwnUnchecked", closed.Body, "io.dubbomesh.demo.conformance.ClosedException",
		*closed.ApplicationproblemJSON500.ExceptionClass)
	fmt.Printf("%d calls of the conformance service are right\n", calls)
}

func same(err error, method string, body []byte, expected, actual any) {
	check(err)
	calls++
	if !reflect.DeepEqual(expected, actual) {
		log.Fatalf("%s: %s (expected: %v)", method, body, expected)
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
