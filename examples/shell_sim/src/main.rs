//! The program; see `README.md`.

fn main() -> std::process::ExitCode {
    shell_sim::command::main()
}
