package io.dubbomesh.dist;

import io.dubbomesh.consumer.ConsumerAgent;
import io.dubbomesh.provider.ProviderAgent;
import io.dubbomesh.runtime.AgentRole;

/**
 * Each agent out of one jar, as the start script of the 2018 Dubbo Mesh benchmark asks for it: {@code -Dtype=consumer}.
 */
public final class MeshAgent {
    private static final int WRONG_SETTING = 2;

    private MeshAgent() {}

    public static void main(String[] args) {
        String type = System.getProperty("type", "");
        AgentRole role = AgentRole.ofType(type);
        if (role == null) {
            System.err.println(
                    "type: " + (type.isEmpty() ? "not set" : type) + " (expected: consumer, provider or gateway)");
            System.exit(WRONG_SETTING);
        } else if (role == AgentRole.PROVIDER) {
            ProviderAgent.main(args);
        } else {
            ConsumerAgent.main(args);
        }
    }
}
