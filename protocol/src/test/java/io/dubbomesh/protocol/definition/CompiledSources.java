package io.dubbomesh.protocol.definition;

import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The class files of sources that a test compiles with the options it is about, in memory. */
final class CompiledSources implements ClassDefinitions.ClassFiles {
    private static final Pattern NAME =
            Pattern.compile("package ([\\w.]+);.*?\\b(?:class|@?interface|enum|record) (\\w+)", Pattern.DOTALL);

    private final Map<String, ByteArrayOutputStream> files = new HashMap<>();

    /** @param sources each of one type of a package, with its nested ones */
    static CompiledSources compile(List<String> options, String... sources) throws IOException {
        CompiledSources compiled = new CompiledSources();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<JavaFileObject> units = new ArrayList<>();
        for (String source : sources) {
            units.add(source(source));
        }
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
                JavaFileManager manager = compiled.new Output(standard)) {
            boolean isDone = compiler.getTask(messages, manager, null, options, null, units)
                    .call();
            if (!isDone) {
                throw new IllegalArgumentException(messages.toString());
            }
        }
        return compiled;
    }

    private static JavaFileObject source(String text) {
        Matcher name = NAME.matcher(text);
        if (!name.find()) {
            throw new IllegalArgumentException(text);
        }
        String path = "string:///" + name.group(1).replace('.', '/') + '/' + name.group(2) + ".java";
        return new SimpleJavaFileObject(URI.create(path), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    @Override
    public byte[] find(String className) {
        ByteArrayOutputStream file = files.get(className);
        return file == null ? null : file.toByteArray();
    }

    @Override
    public Collection<String> names() {
        return files.keySet().stream().sorted().toList();
    }

    private final class Output extends ForwardingJavaFileManager<StandardJavaFileManager> {
        Output(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, javax.tools.FileObject sibling) {
            URI uri = URI.create("mem:///" + className.replace('.', '/') + kind.extension);
            return new SimpleJavaFileObject(uri, kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    files.put(className, out);
                    return out;
                }
            };
        }
    }
}
