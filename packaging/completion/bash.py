# SPDX-License-Identifier: Apache-2.0
"""The completion of bash."""

TEXT = """# SPDX-License-Identifier: Apache-2.0
# Made of `{name} --help`.
{function}() {{
  local line=${{COMP_LINE:0:COMP_POINT}} typed current previous command= word offered= files= colon
  read -ra typed <<<"$line"
  [[ $line == *[[:space:]] ]] && typed+=("")
  current=${{typed[-1]}} previous=${{typed[-2]}}
  for word in "${{typed[@]:1:${{#typed[@]}}-2}}"; do
    [[ $word == -* ]] && continue
    case $command in
      "") command=$word ;;
      policy) command="policy $word" ;;
    esac
  done
{one}
  case "$command $previous" in
{values}
    *)
      case $command in
{commands}
      esac
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$current")
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- "$current")
  fi
  # Readline replaces only what follows the last colon.
  if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
    colon=${{current%"${{current##*:}}"}}
    COMPREPLY=("${{COMPREPLY[@]#"$colon"}}")
  fi
}}
complete -F {function} {name}
"""


def text(name, commands):
    """The file for the program `name`."""
    values, cases = [], []
    for command in commands:
        path = " ".join(command.path)
        for option in filter(lambda each: each.takes, command.options):
            files = " files=1" if option.files else ""
            values.append(f'    "{path} {option.name}") offered="{" ".join(option.words)}"{files} ;;')
        offered = [*(each for each, _ in command.commands), *command.words, *(each.name for each in command.options)]
        files = " files=1" if command.files else ""
        cases.append(f'        "{path}") offered="{" ".join(offered)}"{files} ;;')
    one = '  command=""' if len(commands) == 1 else ""
    return TEXT.format(name=name, function="_" + name.replace("-", "_"), values="\n".join(values),
                       commands="\n".join(cases), one=one).replace("\n\n  case", "\n  case")
