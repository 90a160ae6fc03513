"""`jiritsu completion`: prints the shell script that completes commands, options and job names."""

import os

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

from autonomy.cli.terminal import show

POWERSHELL = r"""Register-ArgumentCompleter -Native -CommandName jiritsu -ScriptBlock {
    param($word, $ast, $position)
    $env:COMP_WORDS = $ast.ToString(); $env:COMP_CWORD = $word; $env:_JIRITSU_COMPLETE = "powershell_complete"
    try { jiritsu | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) } }
    finally { Remove-Item 'Env:_JIRITSU_COMPLETE', 'Env:COMP_WORDS', 'Env:COMP_CWORD' -ErrorAction Ignore }
}
"""
"""PowerShell gives the line as text; click has no script for it. A variable that is set to nothing is none there, so that it may
not be there to be removed."""


@add_completion_class
class PowerShellComplete(ShellComplete):
    """The completion of a line for PowerShell."""

    name = "powershell"
    source_template = POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words so far, and the beginning of the next."""
        words = os.environ.get("COMP_WORDS", "").split()[1:]
        begun = os.environ.get("COMP_CWORD", "")
        return (words[:-1] if begun and words else words), begun

    def format_completion(self, item: CompletionItem) -> str:
        """Format one completion per line."""
        return str(item.value)


def _script(shell: str, source: str) -> str:
    """The script that click has for a shell, with its faults mended."""
    if shell == "fish":  # a description may hold commas, at which click's script cuts it
        return source.replace('(string split "," $completion)', '(string split --max 1 "," $completion)')
    if shell == "zsh":  # a new ~/.zshrc, as that of macOS, has not loaded completion
        return f"(( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit }}\n{source}"
    return source


WHERE = {
    "bash": 'eval "$(jiritsu completion bash)"   # in ~/.bashrc',
    "zsh": 'eval "$(jiritsu completion zsh)"   # in ~/.zshrc',
    "fish": "jiritsu completion fish | source   # in ~/.config/fish/config.fish",
    "powershell": "jiritsu completion powershell | Out-String | Invoke-Expression   # in $PROFILE",
}


@click.command()
@click.argument("shell", type=click.Choice(list(WHERE)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that makes SHELL complete jiritsu's commands."""
    from click.shell_completion import get_completion_class

    show(f"# {WHERE[shell]}")
    kind = get_completion_class(shell)
    if kind is not None:
        show(_script(shell, kind(ctx.find_root().command, {}, "jiritsu", "_JIRITSU_COMPLETE").source()))
