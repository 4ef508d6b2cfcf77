/**
 * Dubbo's routing rules: reading them, and deciding by them. What an operator writes as YAML becomes a {@code TagRule}
 * or a {@code ConditionRule}; those that concern one service are its {@code ServiceRules}.
 */
package io.dubbomesh.registry.dubbo.rule;
