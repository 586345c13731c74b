export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken the file over by the next turn of its loop at the latest; a second is ample.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
