"""What the pages say in another language, for walks that are written in English.

A walk names what it sees and clicks in English, as the source does. The catalogues beside the pages (docs/languages.md) say
how that reads in the language of the walk. A text that no catalogue has fails the walk: nothing is skipped.
"""

import json
import re
from pathlib import Path

from chromium import Failure

ROOT = Path(__file__).resolve().parents[2]
# A value in a text: `{0}`, what a template puts in, or an empty element, which a module fills.
VALUE = re.compile(r"\{\d\}|\{\{[^}]*\}\}|<(\w+)[^>]*></\1>")
LINK = re.compile(r"(<a [^>]*>)([^<]+)</a>")
ANYTHING = r"[\s\S]{0,200}?"


class Text:
    """One text of a catalogue: what is written, and the values between."""

    def __init__(self, source):
        source = re.sub(r"\{#\w+\}", "", source)
        self.parts, self.values, at = [], [], 0
        for found in VALUE.finditer(source):
            self.parts.append(_plain(source[at:found.start()]))
            self.values.append(found.group(0))
            at = found.end()
        self.parts.append(_plain(source[at:]))

    def pattern(self, values):
        """A JavaScript expression for this text with these values; those that nobody knows may be anything."""
        texts = [_escaped(part) for part in self.parts]
        for index, name in enumerate(self.values):
            texts[index] += values.get(name, ANYTHING)
        return "".join(texts).strip()


class Wording:
    """How the texts of the pages read in one language."""

    def __init__(self, language):
        self.language = language
        # Typed texts and names of files are the same in all languages.
        self.said = set()
        # Translations by the English text.
        self.catalogue = {}
        self.singulars = _singulars()
        for path in sorted(ROOT.glob(f"Web/*/words/{language}.json")):
            for key, translation in json.loads(path.read_text()).items():
                if not key.startswith("@"):
                    self._add(key, translation)
        self._add_labels()
        if not self.catalogue:
            raise Failure(f"no catalogue has the language {language}")
        self.texts = [(Text(english), [Text(form) for form in dict.fromkeys(forms)])
                      for english, forms in self.catalogue.items()]

    def _add(self, key, translation):
        """A text of a catalogue; of a plural also what English says of a single one, and of a sentence the links in it."""
        if isinstance(translation, dict):
            forms = tuple(dict.fromkeys(translation.values()))
            for english in (key, *self.singulars.get(key, ())):
                self._translate(english, *forms)
            return
        self._translate(key, translation)
        links = dict(LINK.findall(translation))
        for tag, words in LINK.findall(key):
            if tag in links:
                self._translate(words, links[tag])

    def _translate(self, english, *forms):
        self.catalogue[english] = (*self.catalogue.get(english, ()), *forms)

    def _add_labels(self):
        """Titles and fields of documents, which Core has in all languages."""
        source = (ROOT / "Core/Sources/Documents/Catalogue/DocumentCatalogue.swift").read_text()
        place = {"de": 1, "ar": 2}.get(self.language)
        for labels in re.findall(r'"([^"]+)",\s*(?:titles: )?\.words\("([^"]*)",\s*"([^"]*)"\)', source) if place else ():
            self._translate(labels[0], labels[place])

    def typed(self, text):
        self.said.add(str(text).strip())

    def is_said(self, text):
        """Whether there is nothing in a text but what somebody typed, numbers and signs."""
        for said in sorted(self.said, key=len, reverse=True):
            text = text.replace(said, " ")
        return not any(letter.isalpha() for letter in text)

    def patterns(self, text):
        """JavaScript expressions, one of which is in a page where the English page has this text."""
        text = " ".join(text.split())
        # Before anything else: the placeholder of a field may read the same.
        if text in self.said:
            return [_escaped(text)]
        whole = self._whole(text)
        if whole:
            return whole
        if self.is_said(text):
            return [_escaped(text)]
        parts = self._parts(text)
        if len(parts) == 1:
            return parts
        if not parts:
            raise Failure(f"no catalogue has “{text}” in {self.language}")
        raise Failure(f"“{text}” is in {len(parts)} texts, so the walk must say more of it: {parts}")

    def _whole(self, text):
        """Translations of texts that read so from end to end."""
        found = []
        for english, translated in self.texts:
            values = self._values(english, text)
            if values is not None:
                found += [form.pattern(values) for form in translated]
        return list(dict.fromkeys(found))

    def _values(self, english, text):
        """The values that make a text of the catalogue read so, or None."""
        if not english.values:
            return {} if english.parts[0] == text else None
        if not any(re.search(r"\w\w", part) for part in english.parts):
            return None
        fit = re.fullmatch("(.+?)".join(map(re.escape, english.parts)), text)
        if not fit:
            return None
        values = {}
        for name, value in zip(english.values, fit.groups()):
            pattern = self._value(value)
            if pattern is None:
                return None
            values[name] = pattern
        return values

    def _value(self, value):
        if self.is_said(value) and value.count("(") == value.count(")"):
            return _escaped(value.strip())
        whole = [form.pattern({}) for english, translated in self.texts if english.parts == [value] for form in translated]
        return f"(?:{'|'.join(dict.fromkeys(whole))})" if whole else None

    def _parts(self, text):
        """Translations of texts of which this is a part, with any values beside it."""
        found = []
        for english, translated in self.texts:
            if any(_has(part, text) for part in english.parts):
                found.append("|".join(form.pattern({}) for form in translated))
                continue
            for index, name in enumerate(english.values):
                value = self._between(english.parts[index], english.parts[index + 1], text)
                if value is not None:
                    found.append("|".join(form.pattern({name: value}) for form in translated))
                    break
        return list(dict.fromkeys(found))

    def _between(self, before, after, text):
        """The value in a text that begins with an end of `before` and ends with a beginning of `after`."""
        start = next((text[:at] for at in range(len(text), 0, -1) if before.endswith(text[:at])), "")
        rest = text[len(start):]
        end = next((rest[at:] for at in range(len(rest)) if after.startswith(rest[at:])), "")
        value = rest.removesuffix(end)
        if not value.strip() or not any(len(side.strip()) > 3 for side in (start, end)):
            return None
        return self._value(value)


def _singulars():
    """What English says of a single one, by what it says of many: catalogues have the latter alone."""
    pairs = re.compile(r"""plural\([^"'`]*?(["'])((?:(?!\1).)*)\1,\s*(["'])((?:(?!\3).)*)\3""", re.S)
    found = {}
    for path in ROOT.glob("Web/*/*.js"):
        for _, one, _, other in pairs.findall(path.read_text()):
            found.setdefault(other, set()).add(one)
    return found


def _plain(text):
    """Without marks: what a person reads."""
    return " ".join(re.sub(r"<[^>]*>|\{\{[^}]*\}\}", " ", text).split()) if "<" in text else text


def _has(part, text):
    return re.search(r"(?<!\w)" + re.escape(text) + r"(?!\w)", part) is not None


def _escaped(text):
    return re.sub(r"\s+", r"\\s+", re.sub(r"([\\^$.|?*+()\[\]{}/])", r"\\\1", text))
