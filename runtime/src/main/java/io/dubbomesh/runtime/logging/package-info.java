/** The log: its settings, its format, and what java.util.logging writes. Uses settings. */
package io.dubbomesh.runtime.logging;
