import TestSupport
import Testing

/// The program of the fence, beside a server that stands for Patroni's REST API.
@Suite("The program of the fence")
struct FenceProgramTests {
    /// Runs Python text that finds the fence as `fence`, and a server at `port` that waits for `delay()` seconds before it tells
    /// that the loop has run.
    private func run(_ text: String) async throws -> String {
        let run = try await ShellRun.of(
            #"""
            python3 - "\#(Sample.folder("templates"))/patroni-fence.py" <<'END'
            import http.server, importlib.machinery, importlib.util, signal, sys, threading, time

            loader = importlib.machinery.SourceFileLoader("fence", sys.argv[1])
            sys.dont_write_bytecode = True
            fence = importlib.util.module_from_spec(importlib.util.spec_from_loader("fence", loader))
            loader.exec_module(fence)

            class API(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    time.sleep(delay())
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(b'{"dcs_last_seen": %d}' % time.time())

                def log_message(self, *words):
                    pass

            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            port = server.server_address[1]
            \#(text)
            END
            """#)
        #expect(run.status == 0, "\(run.errorOutput)")
        return run.output
    }

    @Test("an answer that takes seconds counts, if the loop has so long")
    func slow() async throws {
        let output = try await run(
            """
            delay = lambda: 2.5
            patroni = fence.Patroni("127.0.0.1", port, False, 20)
            signal.signal(signal.SIGALRM, patroni.interrupt)
            patroni.ask()
            print(patroni.seen is not None, patroni.age() < 20)
            """)
        #expect(output == "True True\n")
    }

    @Test("no answer is waited for longer than the loop has left")
    func hanging() async throws {
        let output = try await run(
            """
            delay = lambda: 60
            patroni = fence.Patroni("127.0.0.1", port, False, 0.5)
            signal.signal(signal.SIGALRM, patroni.interrupt)
            patroni.ask()
            print(patroni.seen is None, 0.5 <= patroni.age() < 10)
            """)
        #expect(output == "True True\n")
    }
}
