package io.dubbomesh.demo.office;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * A service of the office and how a provider of any version of Dubbo exports it.
 *
 * @param version   empty for none
 * @param token null for none, {@code true} for a random one, which no program knows
 * @param validated whether the provider's filter checks the arguments
 */
public record OfficeService<T>(Class<T> type, T service, String version, String token, boolean validated) {
    /** The token that callers of {@link Vault} need where it has no version. */
    public static final String TOKEN = "s3cret";

    public static List<OfficeService<?>> all() {
        return List.of(
                plain(UserService.class, new DemoUserService()),
                plain(DrawingService.class, new DemoDrawingService()),
                plain(Cashier.class, new DemoCashier()),
                plain(Diary.class, new DemoDiary()),
                plain(Values.class, new DemoValues()),
                new OfficeService<>(SignUp.class, new DemoSignUp(), "", null, true),
                new OfficeService<>(Vault.class, vault(), "", TOKEN, false),
                new OfficeService<>(Vault.class, vault(), "random", "true", false),
                new OfficeService<>(Vault.class, vault(), "other", "an0ther", false));
    }

    /**
     * Returns the services with values of all kinds, which some versions of Dubbo refuse to export.
     *
     * @param resultAttachments takes the name and the value of an attachment of the result
     */
    public static List<OfficeService<?>> ofValues(BiConsumer<String, String> resultAttachments) {
        return List.of(
                plain(ValueExchange.class, new DemoValueExchange(resultAttachments)),
                plain(ValueSource.class, new DemoValueSource()));
    }

    private static <T> OfficeService<T> plain(Class<T> type, T service) {
        return new OfficeService<>(type, service, "", null, false);
    }

    private static Vault vault() {
        return name -> "opened for " + name;
    }
}
