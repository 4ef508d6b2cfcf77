package io.dubbomesh.dist;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.provider.ProviderAgent;

/**
 * Either agent out of one jar, as the start script of the 2018 Dubbo Mesh benchmark asks for it:
 * {@code -Dtype=consumer}. A gateway is a consumer agent, which reads the same setting.
 */
public final class MeshAgent {
    private static final int WRONG_SETTING = 2;

    private MeshAgent() {}

    public static void main(String[] args) {
        String type = System.getProperty("type", "");
        switch (type) {
            case "consumer", "gateway" -> ConsumerAgent.main(args);
            case "provider" -> ProviderAgent.main(args);
            default -> {
                System.err.println(
                        "type: " + (type.isEmpty() ? "not set" : type) + " (expected: consumer, provider or gateway)");
                System.exit(WRONG_SETTING);
            }
        }
    }
}
