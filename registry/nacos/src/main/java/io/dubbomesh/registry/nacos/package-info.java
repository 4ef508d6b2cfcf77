/**
 * Nacos: the names of services, and the instances that Dubbo providers register; the only package that uses its client.
 */
package io.dubbomesh.registry.nacos;
