"""The two databases as `million.py` uses them: made, grown by many rows, asked."""

import os
import pathlib
import sqlite3
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "scripts"))
from ports import free_port  # noqa: E402


class SQLite:
    """The database in a data directory; the server must be stopped."""

    name = "SQLite"

    def __init__(self, folder):
        self.path = folder / "data" / "countersign.sqlite"
        self.flags = []

    def start(self):
        pass

    stop = settle = start

    def ask(self, sql):
        connection = sqlite3.connect(self.path)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def columns(self, table):
        return [row[1] for row in self.ask(f"PRAGMA table_info({table})")]

    def grow(self, tables, report):
        """Adds rows without a journal: what fails leaves a database that is of no use."""
        connection = sqlite3.connect(self.path, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -2000000",
                       "temp_store = MEMORY", "foreign_keys = OFF"):
            connection.execute(f"PRAGMA {pragma}")
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        indexes = indexes.fetchall()
        connection.execute("BEGIN")
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        for table, columns, rows in tables:
            places = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)
            report(table)
        for name, sql in indexes:
            connection.execute(sql)
            report(f"index {name}")
        connection.execute("COMMIT")
        connection.close()
        # A new connection: the journal's mode is what the program finds.
        connection = sqlite3.connect(self.path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()

    def size(self):
        return self.path.stat().st_size


class Postgres:
    """A database of its own in a PostgreSQL of its own, which stays in the folder."""

    name = "PostgreSQL"

    def __init__(self, folder):
        self.folder = folder / "postgres"
        self.environment = os.environ | {"TEST_POSTGRES_FOLDER": str(self.folder)}
        self.runs = False
        settings = self.folder / "data" / "postgresql.conf"
        self.is_new = not settings.exists()
        if self.is_new:
            self.folder.mkdir(parents=True)
            self.port = free_port()
            self.control("make", str(self.port))
        else:
            lines = settings.read_text().splitlines()
            self.port = int([line for line in lines if line.startswith("port = ")][-1].split("=")[1])
        self.flags = ["--database", f"postgres://countersign@127.0.0.1:{self.port}/million"]

    def control(self, *command):
        subprocess.run([root / "scripts/test-postgres", *command], check=True, env=self.environment)

    def start(self):
        if self.runs:
            return
        stale = self.folder / "data" / "postmaster.pid"
        if stale.exists():
            stale.unlink()
        self.control("start")
        self.runs = True
        if self.is_new:
            self.psql("CREATE DATABASE million", database="postgres")
            self.is_new = False

    def stop(self):
        if self.runs:
            self.psql("CHECKPOINT")
            self.control("stop")
            self.runs = False

    def command(self, database="million"):
        return ["psql", "--quiet", "--no-psqlrc", "--no-align", "--tuples-only", "--field-separator=\t", "--set",
                "ON_ERROR_STOP=1", f"postgres://countersign@127.0.0.1:{self.port}/{database}"]

    def psql(self, sql, database="million"):
        done = subprocess.run([*self.command(database), "--command", sql], check=True, capture_output=True, text=True)
        return done.stdout

    def ask(self, sql):
        return [tuple(line.split("\t")) for line in self.psql(sql).splitlines()]

    def columns(self, table):
        where = f"table_schema = 'public' AND table_name = '{table}' ORDER BY ordinal_position"
        return [row[0] for row in self.ask(f"SELECT column_name FROM information_schema.columns WHERE {where}")]

    def settle(self):
        """What PostgreSQL does by itself within a day: without it a count by an index looks at every row."""
        self.psql("VACUUM ANALYZE")

    def grow(self, tables, report):
        """Adds rows with COPY, without looking at references; then as autovacuum would leave it."""
        # Those of constraints stay.
        indexes = self.ask(
            "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT IN"
            " (SELECT conname FROM pg_constraint)")
        fast = "SET synchronous_commit = off; SET session_replication_role = replica; SET maintenance_work_mem = '1GB';"
        self.psql("ALTER SYSTEM SET max_wal_size = '8GB'")
        self.psql("SELECT pg_reload_conf()")
        self.psql("".join(f"DROP INDEX {name};" for name, _ in indexes))
        for table, columns, rows in tables:
            self.copy(fast, table, columns, rows)
            report(table)
        for name, sql in indexes:
            self.psql(fast + sql)
            report(f"index {name}")
        self.psql("ALTER SYSTEM RESET max_wal_size")
        self.psql("SELECT pg_reload_conf()")
        self.settle()
        report("VACUUM ANALYZE")

    def copy(self, settings, table, columns, rows):
        process = subprocess.Popen(
            [*self.command(), "--command", settings, "--command",
             f"COPY {table} ({', '.join(columns)}) FROM STDIN"], stdin=subprocess.PIPE, text=True)
        lines = []
        for row in rows:
            lines.append("\t".join("\\N" if value is None else str(value) for value in row))
            if len(lines) == 5_000:
                process.stdin.write("\n".join(lines) + "\n")
                lines = []
        process.stdin.write("".join(line + "\n" for line in lines))
        process.stdin.close()
        if process.wait() != 0:
            raise OSError(f"COPY {table} failed")

    def size(self):
        return int(self.psql("SELECT pg_database_size('million')"))
