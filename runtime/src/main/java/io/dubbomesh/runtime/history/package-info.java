/** What an agent's calls were like in the last minutes, for operators who look only afterwards. */
package io.dubbomesh.runtime.history;
