// Calls the demo's shop through a consumer agent. usage: go run shop.go [http://127.0.0.1:20000]
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	deadline = 2 * time.Second
	attempts = 3
	shop     = "io.dubbomesh.demo.shop.Shop"
)

// Mesh calls services through the consumer agent beside this program. Goroutines may share it.
type Mesh struct {
	url    string
	client http.Client
}

// Problem is what a failed call is answered with (RFC 9457).
type Problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

type Order struct {
	Item     string      `json:"item"`
	Quantity int         `json:"quantity"`
	Price    json.Number `json:"price"`
	Delivery string      `json:"delivery"`
	Day      string      `json:"day"`
}

// Receipt has its total as json.Number, since a float64 would lose digits.
type Receipt struct {
	Item  string      `json:"item"`
	Total json.Number `json:"total"`
	Day   string      `json:"day"`
}

// Call calls target (interface/method, with ?version=...&group=... if the service has them) and stores its result.
func (m *Mesh) Call(target string, result any, arguments ...any) error {
	body, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		answer, err := m.post(target, body)
		if err != nil {
			return err
		}
		// 503 alone says that the service did not execute the call and may do so later.
		if answer.StatusCode == http.StatusServiceUnavailable && attempt < attempts {
			seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
			answer.Body.Close()
			time.Sleep(time.Duration(seconds) * time.Second)
			continue
		}
		defer answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return json.NewDecoder(answer.Body).Decode(result)
		}
		problem := new(Problem)
		if err := json.NewDecoder(answer.Body).Decode(problem); err != nil {
			return err
		}
		return problem
	}
}

func (m *Mesh) post(target string, body []byte) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodPost, m.url+"/"+target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Request-Timeout", strconv.FormatInt(deadline.Milliseconds(), 10))
	return m.client.Do(request)
}

func main() {
	url := "http://127.0.0.1:20000"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	// The agent answers at the deadline, at the latest: the timeout is for an agent that is gone.
	mesh := Mesh{url: url, client: http.Client{Timeout: deadline + time.Second}}
	order := Order{Item: "tea", Quantity: 2, Price: "3.50", Delivery: "POST", Day: "2026-12-30"}

	var receipt Receipt
	if err := mesh.Call(shop+"/buy", &receipt, order); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s for %s, delivered on %s\n", receipt.Item, receipt.Total, receipt.Day)

	var greeting string
	if err := mesh.Call(shop+"/greet?version=2.0.0&group=blue", &greeting, "Ana"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(greeting)

	order.Quantity = 20
	fmt.Println(mesh.Call(shop+"/buy", &receipt, order))
}
