/** The registry that is a fixed list in the setting: {@code static:}. */
package io.dubbomesh.registry.fixed;
