package io.dubbomesh.demo.shop;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DemoShopTest {
    private final DemoShop shop = new DemoShop("shop", Map.of("language", "de")::get);

    private static Order order(int quantity, Delivery delivery) {
        Order order = new Order();
        order.setItem("tea");
        order.setQuantity(quantity);
        order.setPrice(new BigDecimal("3.50"));
        order.setDelivery(delivery);
        order.setDay(LocalDate.of(2026, 12, 30));
        return order;
    }

    @Test
    void aReceiptHasTotalAndDay() throws SoldOutException {
        Receipt receipt = shop.buy(order(2, Delivery.POST));
        assertThat(receipt.getTotal()).isEqualTo(new BigDecimal("7.00"));
        assertThat(receipt.getDay()).isEqualTo("2027-01-01");
        assertThat(shop.buy(order(1, Delivery.COURIER)).getDay()).isEqualTo("2026-12-30");
    }

    @Test
    void moreItemsThanAvailableCannotBeBought() {
        assertThatThrownBy(() -> shop.buy(order(11, Delivery.POST)))
                .isInstanceOf(SoldOutException.class)
                .hasMessage("tea: 11 ordered (in stock: 10)");
    }

    @Test
    void anOrderWithoutPriceOrDayIsRefusedInWords() {
        Order withoutPrice = order(1, Delivery.POST);
        withoutPrice.setPrice(null);
        Order withoutDay = order(1, Delivery.POST);
        withoutDay.setDay(null);

        for (Order order : List.of(withoutPrice, withoutDay)) {
            assertThatThrownBy(() -> shop.buy(order))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("an order needs a price, as 3.50, and a day, as 2026-12-30");
        }
    }

    @Test
    void theGreetingIsInTheLanguageOfTheCall() {
        assertThat(shop.greet("Ana")).isEqualTo("Willkommen im shop, Ana");
        assertThat(new DemoShop("shop", key -> null).greet("Ana")).isEqualTo("Welcome to the shop, Ana");
    }
}
