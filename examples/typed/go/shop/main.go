// Calls the demo's shop by the client that oapi-codegen has made of its OpenAPI document.
//
// usage: run.sh [http://127.0.0.1:20000]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"dubbomesh.example/typed/build/shop"
)

func main() {
	client, err := shop.NewClientWithResponses(os.Args[1])
	check(err)
	quantity, price, delivery := int32(2), json.Number("3.50"), shop.POST
	order := shop.OrderInput{
		Item: text("tea"), Quantity: &quantity, Price: &price, Delivery: &delivery, Day: day(2026, 12, 30),
	}
	deadline := shop.Timeout(2000)

	bought, err := client.ShopBuyWithResponse(context.Background(), &shop.ShopBuyParams{XRequestTimeout: &deadline}, order)
	check(err)
	receipt := bought.JSON200
	if receipt == nil || *receipt.Total != "7.00" || *receipt.Delivery != shop.POST || !receipt.Day.Equal(day(2027, 1, 1).Time) {
		log.Fatalf("buy: %s", bought.Body)
	}
	fmt.Printf("%s for %s, delivered on %s\n", *receipt.Item, *receipt.Total, receipt.Day)

	greeted, err := client.ShopGreetWithResponse(context.Background(), nil, []*string{text("Ana")})
	check(err)
	if greeted.JSON200 == nil || *greeted.JSON200 != "Welcome to the shop, Ana" {
		log.Fatalf("greet: %s", greeted.Body)
	}
	fmt.Println(*greeted.JSON200)

	quantity = 20
	refused, err := client.ShopBuyWithResponse(context.Background(), nil, order)
	check(err)
	problem := refused.ApplicationproblemJSON500
	if problem == nil || *problem.ExceptionClass != "io.dubbomesh.demo.shop.SoldOutException" {
		log.Fatalf("buy: %s", refused.Body)
	}
	fmt.Printf("%s: %s\n", problem.Code, problem.Detail)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func text(value string) *string {
	return &value
}

func day(year, month, day int) *types.Date {
	return &types.Date{Time: time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)}
}
