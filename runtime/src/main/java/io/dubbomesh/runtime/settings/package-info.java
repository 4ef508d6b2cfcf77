/**
 * Settings from properties, environment and a configuration file; every wrong one is reported. Uses no other package
 * of ours.
 */
package io.dubbomesh.runtime.settings;
