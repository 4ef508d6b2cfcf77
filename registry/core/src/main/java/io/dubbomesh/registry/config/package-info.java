/** Turns the settings {@code registry} and {@code etcd.url} into a registry; the only package that knows every kind. */
package io.dubbomesh.registry.config;
