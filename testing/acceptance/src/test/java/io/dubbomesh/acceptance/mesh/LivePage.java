package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.Await;

import java.time.Duration;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of an admin port in a browser, which draws itself anew twice a second. */
public final class LivePage {
    public static final Duration TO_SHOW = Duration.ofSeconds(20);
    /** Percent: a share is a number of calls of a short time. */
    private static final int TOLERANCE = 3;

    private final Browser browser;

    public LivePage(Browser browser) {
        this.browser = browser;
    }

    public void awaitText(String selector, String text) throws Exception {
        Await.untilAsserted(TO_SHOW, () -> assertThat(browser.text(selector)).contains(text));
    }

    public void awaitShares(List<String> endpoints, int... percent) throws Exception {
        Await.untilAsserted(TO_SHOW, () -> {
            for (int i = 0; i < percent.length; i++) {
                String shown = browser.text("[data-share-of='" + endpoints.get(i) + "']");
                assertThat(shown).endsWith(" %");
                assertThat(Double.parseDouble(shown.replace(" %", "")))
                        .as(endpoints.get(i))
                        .isBetween((double) percent[i] - TOLERANCE, (double) percent[i] + TOLERANCE);
            }
        });
    }

    /** Returns when all has been drawn once more and nothing moves, as for a picture. */
    public void awaitDrawn() throws Exception {
        String clock = browser.text("#clock");
        Await.until(TO_SHOW, "the page is drawn", () -> !browser.text("#clock").equals(clock));
        Await.until(
                TO_SHOW,
                "nothing moves",
                () -> browser.run("return document.getAnimations().length").equals(0L));
    }
}
