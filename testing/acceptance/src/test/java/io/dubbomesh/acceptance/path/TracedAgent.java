package io.dubbomesh.acceptance.path;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** An agent of this build in a JVM of its own, whose event loop's calls of methods are written down by its debugger. */
final class TracedAgent implements AutoCloseable {
    private static final String CODE = "io.dubbomesh.";

    private final VirtualMachine machine;
    private final MethodEntryRequest entries;
    private final List<Entry> entered = new ArrayList<>();

    /**
     * A method that was entered.
     *
     * @param method as {@code Class.method}
     * @param stack  the classes of the project on the stack, the outermost first, neighbours that are equal once
     */
    record Entry(String method, List<String> stack) {
        String className() {
            return method.substring(0, method.indexOf('.'));
        }
    }

    private TracedAgent(VirtualMachine machine) {
        this.machine = machine;
        entries = machine.eventRequestManager().createMethodEntryRequest();
        entries.addClassFilter(CODE + "*");
        entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        Thread reading = new Thread(this::read, "traces");
        reading.setDaemon(true);
        reading.start();
        machine.resume();
    }

    static TracedAgent start(Path jar, Path log, Map<String, String> settings) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        String properties = settings.entrySet().stream()
                .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(" "));
        arguments.get("options").setValue("-Xmx256m -XX:+UseSerialGC " + properties);
        arguments.get("main").setValue("-jar " + jar);
        VirtualMachine machine = connector.launch(arguments);
        copy(machine.process(), log);
        return new TracedAgent(machine);
    }

    private static void copy(Process process, Path log) {
        for (InputStream stream : List.of(process.getInputStream(), process.getErrorStream())) {
            Thread copying = new Thread(() -> copy(stream, log), "log");
            copying.setDaemon(true);
            copying.start();
        }
    }

    private static void copy(InputStream stream, Path log) {
        try (OutputStream out = Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            stream.transferTo(out);
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Forgets what was written down and writes down what is entered from now on. */
    void trace() {
        synchronized (entered) {
            entered.clear();
        }
        entries.enable();
    }

    /** Returns what was entered since {@link #trace} or since the last call of this. */
    List<Entry> take() {
        synchronized (entered) {
            List<Entry> taken = List.copyOf(entered);
            entered.clear();
            return taken;
        }
    }

    boolean hasEntered(String method) {
        synchronized (entered) {
            return entered.stream().anyMatch(entry -> entry.method.equals(method));
        }
    }

    private void read() {
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof MethodEntryEvent entry) {
                        write(entry.method(), entry.thread());
                    }
                }
                events.resume();
            }
        } catch (InterruptedException | VMDisconnectedException e) {
            // The agent has ended.
        }
    }

    private void write(Method method, ThreadReference thread) {
        try {
            List<String> stack = new ArrayList<>();
            List<StackFrame> frames = thread.frames();
            for (int i = frames.size() - 1; i >= 0; i--) {
                String name = frames.get(i).location().declaringType().name();
                String simple = simpleName(name);
                if (name.startsWith(CODE)
                        && (stack.isEmpty() || !stack.get(stack.size() - 1).equals(simple))) {
                    stack.add(simple);
                }
            }
            synchronized (entered) {
                entered.add(new Entry(simpleName(method.declaringType().name()) + '.' + method.name(), stack));
            }
        } catch (IncompatibleThreadStateException e) {
            throw new AssertionError("the thread of an event is suspended", e);
        }
    }

    /** Returns the name without its package; a nested class belongs to the one around it. */
    private static String simpleName(String name) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        int nested = simple.indexOf('$');
        return nested < 0 ? simple : simple.substring(0, nested);
    }

    @Override
    public void close() {
        Process process = machine.process();
        try {
            entries.disable();
            machine.dispose();
        } catch (VMDisconnectedException e) {
            // It has ended.
        }
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
