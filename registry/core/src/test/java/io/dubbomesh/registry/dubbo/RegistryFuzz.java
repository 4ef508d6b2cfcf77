package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.EndpointCodec;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.rule.ConditionRule;
import io.dubbomesh.registry.dubbo.rule.TagRule;
import io.dubbomesh.testsupport.random.FuzzedInput;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Feeds entries of a registry; the first byte of the input chooses the kind. Only what is declared may be thrown: one
 * entry must not end the reading of others.
 */
public final class RegistryFuzz {
    private static final String SERVICE = "com.example.Greeter";
    private static final String INSTANCE =
            "{\"name\":\"a\",\"address\":\"192.0.2.1\",\"port\":20880,\"payload\":{\"metadata\":"
                    + "{\"dubbo.metadata.revision\":\"r\",\"dubbo.endpoints\":\"[{\\\"port\\\":1,\\\"protocol\\\":\\\"tri\\\"}]\"}}}";

    private RegistryFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> read(input));
        }
    }

    private static void read(byte[] input) {
        String text = new String(input, 1, input.length - 1, UTF_8);
        try {
            switch (input[0] & 15) {
                case 0 -> requireSame(EndpointCodec.parseKey(text));
                case 1 -> EndpointCodec.parseValue(text.getBytes(UTF_8));
                case 2 -> DubboProvider.of(SERVICE, DubboUrl.parseEncoded(text), "", EndpointProtocol.DUBBO);
                case 3 -> DubboOverride.of(DubboUrl.parseEncoded(text));
                case 4 -> DubboRouter.of(SERVICE, DubboUrl.parseEncoded(text));
                case 5 -> instance(text);
                case 6 ->
                    DubboInstance.parse(INSTANCE)
                            .urls(DubboMetadata.parse(text))
                            .forEach(url -> DubboProvider.of(SERVICE, url, "r", EndpointProtocol.DUBBO));
                case 7 -> ConditionRule.parse(SERVICE + "::.condition-router", text);
                case 8 -> TagRule.parse("a.tag-router", text);
                case 9 -> ConfiguredOverride.parse(text, "a");
                default -> RuleKey.parse(text);
            }
        } catch (IllegalArgumentException e) {
            // Declared: the entry is refused.
        }
    }

    private static void requireSame(EndpointCodec.Key key) {
        if (!EndpointCodec.parseKey(key.toString()).equals(key)) {
            throw new AssertionError(key + " is read otherwise");
        }
    }

    private static void instance(String text) {
        DubboInstance instance = DubboInstance.parse(text);
        if (instance != null) {
            instance.addresses();
            instance.metadataService();
        }
    }
}
