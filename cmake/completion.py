# SPDX-License-Identifier: BSD-3-Clause
"""Write the completions of mustrun for bash and zsh from its list of options: completion.py options.def completion.bash _mustrun"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import man  # noqa: E402

# Lists whose words the names of their arguments do not tell: the words stand in the help, and a test compares them.
LISTS = {
    "output": "html json text sarif junit",
    "annotations": "github gitlab",
    "errors": "errors warnings none not-checked",
    "sends": "strict buffered eager=",
    "collectives": "strict strictest dataflow",
    "memory-model": "unified separate",
    "probe": "off hang end continuous thorough",
    "races": "off on",
    "rma": "auto on off",
    "fold": "on off",
    "checks": "all none",
}
FILES = {"FILE": "file", "DIR": "directory", "COMMAND": "command", "PATH": "command"}


def read(path):
    """[(name, argument or None, first sentence of the help, words to complete the value with)]"""
    with open(path, encoding="utf-8") as file:
        entries = list(man.options(file.read()))
    groups = [entry["word"] for entry in entries if "title" in entry]
    options = {}
    for entry in entries:
        if "key" in entry:
            words = entry["argument"].split("|") if "|" in entry["argument"] else [""]
            name = next(option["name"] for option in entries if option.get("id") == entry["option"])
            options[name][2].extend(f"{entry['key']}={word}" for word in words)
        elif "name" in entry:
            words = LISTS.get(entry["name"], "").split()
            if entry["argument"] == "[GROUP]":
                words = [*groups, "all"]
            help_text = re.split(r"[.:;(]", entry["help"])[0].strip().replace("'", "")
            options[entry["name"]] = (entry["argument"], help_text, words)
    return [(name, *rest) for name, rest in options.items()]


BASH = r"""# bash completion of mustrun, made from its list of options
_mustrun() {
    local line=${COMP_LINE:0:COMP_POINT} word previous words kind=
    word=${line##*[[:space:]]}
    line=${line%"$word"}
    line=${line%"${line##*[![:space:]]}"}
    previous=${line##*[[:space:]]}
    if [[ $word == --must:*=* ]]; then
        previous=${word%%=*}
        local value=${word#*=}
    else
        local value=$word
    fi
    case $previous in
@VALUES@
    *) words= ;;
    esac
    COMPREPLY=()
    if [[ -n $words$kind && ($value != -* || $previous == "${word%%=*}") ]]; then
        local head=
        if [[ $words == *=* || $kind == list ]]; then
            [[ $value == *,* ]] && head=${value%,*},
        fi
        local prefix=${word%"$value"}
        case $kind in
        file) mapfile -t COMPREPLY < <(compgen -f -- "$value") ;;
        directory) mapfile -t COMPREPLY < <(compgen -d -- "$value") ;;
        command) mapfile -t COMPREPLY < <(compgen -c -- "$value") ;;
        *) mapfile -t COMPREPLY < <(compgen -P "$prefix$head" -W "$words" -- "${value#"$head"}") ;;
        esac
        [[ $words == *= ]] && compopt -o nospace 2>/dev/null
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "@OPTIONS@" -- "$word")
    fi
    # The shell keeps what stands before its last word break.
    local kept=${word%"${word##*[$COMP_WORDBREAKS]}"}
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}
complete -o default -F _mustrun mustrun
"""


def bash(options):
    values = []
    for name, argument, _, words in options:
        if words:
            values.append(f"    --must:{name}) words='{' '.join(words)}' kind=list ;;")
        elif argument in FILES:
            values.append(f"    --must:{name}) words= kind={FILES[argument]} ;;")
    names = " ".join(f"--must:{name}" for name, *_ in options)
    return BASH.replace("@VALUES@", "\n".join(values)).replace("@OPTIONS@", names)


ZSH_FILES = {"file": "_files", "directory": "_files -/", "command": "_command_names -e"}


def zsh(options):
    specs = []
    for name, argument, help_text, words in options:
        help_text = help_text.replace("[", "(").replace("]", ")").replace(":", ",")
        spec = f"--must\\:{name}[{help_text}]"
        if argument is not None:
            action = f"({' '.join(words)})" if words else ZSH_FILES.get(FILES.get(argument), " ")
            if words and argument[0] != "[" and "=" not in "".join(words):  # several of them, separated by commas
                action = f"_values -s , {argument.lower()} {' '.join(words)}"
            optional = ":" if argument[0] == "[" else ""
            spec = f"--must\\:{name}=[{help_text}]:{optional}{argument.strip('[]').replace(':', ' ')}:{action}"
        specs.append(f"    '{spec}'")
    head = "#compdef mustrun\n# zsh completion of mustrun, made from its list of options\n_arguments -A '-*' \\\n"
    return head + " \\\n".join([*specs, "    '*::program:_normal'"]) + "\n"


def main(definitions, bash_file, zsh_file):
    options = read(definitions)
    for path, text in ((bash_file, bash(options)), (zsh_file, zsh(options))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
