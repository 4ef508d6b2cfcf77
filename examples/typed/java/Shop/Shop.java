import client.ApiClient;
import client.ApiException;
import client.api.ShopApi;
import client.model.Delivery;
import client.model.OrderInput;
import client.model.Receipt;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/**
 * Calls the demo's shop by the client that openapi-generator has made of its OpenAPI document.
 *
 * <p>usage: run.sh [http://127.0.0.1:20000]
 */
public final class Shop {
    private static final int DEADLINE_MS = 2000;

    private Shop() {}

    public static void main(String[] args) throws ApiException {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        ShopApi shop = new ShopApi(client);
        OrderInput order = new OrderInput()
                .item("tea")
                .quantity(2)
                .price(new BigDecimal("3.50"))
                .delivery(Delivery.POST)
                .day(LocalDate.of(2026, 12, 30));

        Receipt receipt = shop.shopBuy(order, DEADLINE_MS, null, null);
        requireEqual(
                new Receipt()
                        .item("tea")
                        .total(new BigDecimal("7.00"))
                        .delivery(Delivery.POST)
                        .day(LocalDate.of(2027, 1, 1)),
                receipt);
        System.out.printf("%s for %s, delivered on %s%n", receipt.getItem(), receipt.getTotal(), receipt.getDay());

        String greeting = shop.shopGreet(List.of("Ana"), DEADLINE_MS, null, null);
        requireEqual("Welcome to the shop, Ana", greeting);
        System.out.println(greeting);

        try {
            shop.shopBuy(order.quantity(20), DEADLINE_MS, null, null);
            throw new AssertionError("20 were sold");
        } catch (ApiException e) {
            requireEqual(500, e.getCode());
            System.out.println(e.getResponseBody());
        }
    }

    private static void requireEqual(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(actual + " (expected: " + expected + ")");
        }
    }
}
