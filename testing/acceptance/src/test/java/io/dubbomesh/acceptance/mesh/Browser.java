package io.dubbomesh.acceptance.mesh;

import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;

/** A real Chromium without a window. */
public final class Browser implements AutoCloseable {
    private final ChromeDriver driver;

    public Browser() {
        this(executable("chromium"));
    }

    /** @param program starts Chromium, maybe where none of its ports can be reached */
    public Browser(File program) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program.toString());
        // Root has no sandbox, and containers little shared memory.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--lang=en-GB",
                // Transitions are drawn by the processor, 60 times a second.
                "--force-prefers-reduced-motion",
                // Instead of a port.
                "--remote-debugging-pipe");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(executable("chromedriver"))
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    private static File executable(String name) {
        for (String directory : System.getenv("PATH").split(":")) {
            Path path = Path.of(directory, name);
            if (Files.isExecutable(path)) {
                return path.toFile();
            }
        }
        throw new AssertionError(
                name + " is not in PATH: these tests need it (Debian: apt-get install chromium chromium-driver)");
    }

    /** @param mobile whether it counts as a phone, which has no mouse */
    public void size(int width, int height, boolean mobile) {
        emulate(
                "setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", mobile ? 2 : 1, "mobile", mobile));
    }

    public void dark(boolean dark) {
        emulate(
                "setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    private void emulate(String command, Map<String, Object> parameters) {
        driver.executeCdpCommand("Emulation." + command, parameters);
    }

    public void open(String url) {
        driver.get(url);
    }

    public String title() {
        return driver.getTitle();
    }

    public WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    public List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    public String text(String selector) {
        return (String) run("const e = document.querySelector(arguments[0]); return e ? e.textContent : ''", selector);
    }

    public Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The element that has the keyboard. */
    public WebElement focused() {
        return driver.switchTo().activeElement();
    }

    public void screenshot(Path file) throws IOException {
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /**
     * Returns the complaints of the page or the browser since the last time. An answer 503 to a question about an agent
     * is none: an agent that is not given the processor in time cannot be asked, and the page asks it again.
     */
    public List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .filter(message ->
                        !message.contains("/api/v1/") || !message.contains("the server responded with a status of 503"))
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
