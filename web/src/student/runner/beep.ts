// The two tones of an alert about the time.

const TONES = [660, 880];
const TONE_SECONDS = 0.22;
const LOUDNESS = 0.15;

let context: AudioContext | undefined;

/** Some browsers allow sound only after a touch or a key: this tries at each until it works. Returns what stops that. */
export function allowSound(): () => void {
  const events = ["pointerdown", "keydown"] as const;
  const end = () => events.forEach((name) => removeEventListener(name, wake, true));
  function wake(): void {
    try {
      context ??= new AudioContext();
      void context.resume().then(end, () => {});
    } catch {
      end();
    }
  }
  events.forEach((name) => addEventListener(name, wake, true));
  return end;
}

/** Silent if the browser has no sound or does not allow it: an alert is always visible and announced as well. */
export function beep(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    TONES.forEach((tone, index) => play(context as AudioContext, tone, index * TONE_SECONDS));
  } catch {
    context = undefined;
  }
}

function play(context: AudioContext, tone: number, delay: number): void {
  const [oscillator, loudness] = [context.createOscillator(), context.createGain()];
  const begin = context.currentTime + delay;
  oscillator.frequency.value = tone;
  loudness.gain.setValueAtTime(LOUDNESS, begin);
  loudness.gain.exponentialRampToValueAtTime(0.001, begin + TONE_SECONDS);
  oscillator.connect(loudness).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + TONE_SECONDS);
}
